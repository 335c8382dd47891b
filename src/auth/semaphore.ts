import { GatewayError } from '../errors.js';

/** Lets `count` works run at a time; the others wait for their turn, in the order in which they came. */
export function createSemaphore(count: number) {
  let free = count;
  const waiting = new Set<() => void>();

  const take = (waitMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      if (free > 0) {
        free -= 1;
        resolve();
        return;
      }
      const enter = () => {
        clearTimeout(timeout);
        resolve();
      };
      const timeout = setTimeout(() => {
        waiting.delete(enter);
        reject(
          new GatewayError('ServiceUnavailableError', 'Too many API tokens are being checked now. Try again in a few seconds.'),
        );
      }, waitMs);
      waiting.add(enter);
    });

  const give = (): void => {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    /** @throws GatewayError ServiceUnavailableError if the turn has not come after `waitMs` */
    async run<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
      await take(waitMs);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
