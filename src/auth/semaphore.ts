import { GatewayError } from '../errors.js';

/** Runs at most `count` tasks at a time. Further tasks wait for their turn, in the order of their arrival. */
export function createSemaphore(count: number) {
  let free = count;
  const waiting = new Set<() => void>();

  const acquire = (waitMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      if (free > 0) {
        free -= 1;
        resolve();
        return;
      }
      const proceed = () => {
        clearTimeout(timeout);
        resolve();
      };
      const timeout = setTimeout(() => {
        waiting.delete(proceed);
        reject(
          new GatewayError('ServiceUnavailableError', 'Too many API tokens are being checked now. Try again in a few seconds.'),
        );
      }, waitMs);
      waiting.add(proceed);
    });

  const release = (): void => {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    /** @throws GatewayError ServiceUnavailableError if the task has to wait longer than `waitMs` */
    async run<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
      await acquire(waitMs);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
