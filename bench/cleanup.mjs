/** @type {(() => unknown)[]} */
const tasks = [];

/** @type {Promise<void> | undefined} */
let running;

/**
 * Registers a task for the end of the process: after success, failure or a signal.
 * @param {() => unknown} task tolerates that the action it undoes has not happened yet, or is already undone
 */
export function atEnd(task) {
  if (running) throw new Error('The benchmark is being stopped.');
  tasks.push(task);
}

/** Runs all tasks, the latest first. Reports a failed task and continues with the others. Tasks can be registered again afterwards. */
export function cleanUp() {
  running ??= (async () => {
    for (const task of tasks.splice(0).reverse()) {
      try {
        await task();
      } catch (error) {
        process.exitCode = 1;
        process.stderr.write(`Cleaning up: ${error instanceof Error ? error.message : error}\n`);
      }
    }
    running = undefined;
  })();
  return running;
}

/**
 * Runs `work`, then cleans up. Also cleans up after a failure, SIGINT and SIGTERM.
 * @param {() => Promise<void>} work
 */
export async function withCleanUp(work) {
  let isInterrupted = false;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      isInterrupted = true;
      void cleanUp().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
    });
  }
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    // After an interruption, everything that waits for the stopped processes fails. These errors mean nothing.
    if (!isInterrupted) process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  }
  await cleanUp();
}
