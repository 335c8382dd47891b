/**
 * Returns a list that stands for items which were dropped. Reading the list throws an error, so that no response lacks a value
 * unnoticed.
 * @param reason the message of the error
 */
export function createUnreadableList(reason: string): readonly never[] {
  return new Proxy([], {
    get() {
      throw new Error(reason);
    },
  });
}
