/** @type {(() => unknown)[]} */
const tasks = [];

/** @type {Promise<void> | undefined} */
let running;

/**
 * Remembers what is to be undone at the end, whichever way the end comes.
 * @param {() => unknown} task is tolerant: what it undoes may not have happened yet, or be over already
 */
export function atEnd(task) {
  if (running) throw new Error('The benchmark is being stopped.');
  tasks.push(task);
}

/** Undoes everything, the latest first. A task that fails is told and does not keep the others from running. */
export function cleanUp() {
  running ??= (async () => {
    for (const task of tasks.reverse()) {
      try {
        await task();
      } catch (error) {
        process.exitCode = 1;
        process.stderr.write(`Cleaning up: ${error instanceof Error ? error.message : error}\n`);
      }
    }
  })();
  return running;
}

/**
 * Runs `work`, then cleans up; a failure, SIGINT and SIGTERM end the process that way too.
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
    // Once everything is being stopped, whatever was waiting for it fails: that says nothing.
    if (!isInterrupted) process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  }
  await cleanUp();
}
