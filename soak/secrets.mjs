/** Log level of errors. Request lines have a lower level. */
const ERROR_LEVEL = 50;
/** Matches at every position, also where matches overlap. */
const THIRTY_TWO_HEX = /(?=([0-9a-f]{32}))/g;
/** The secret of an invitation in the response to its creation, in a field of any name or in the link. */
const OF_CREATION = /(?:"|\?invite=)([0-9a-f]{32})"/g;

/**
 * Finds secrets in responses and in the log: the given secrets in use, and those of invitations as they are created.
 * @param {string[]} inUse
 */
export function createSecrets(inUse) {
  /** @type {Set<string>} */
  const ofInvitations = new Set();
  const holdsInvitation = (/** @type {string} */ text) => {
    for (const [, secret = ''] of text.matchAll(THIRTY_TWO_HEX)) if (ofInvitations.has(secret)) return true;
    return false;
  };
  const flawsOfText = (/** @type {string} */ text) => [
    ...(inUse.some((secret) => text.includes(secret)) ? ['contains a secret in use'] : []),
    ...(holdsInvitation(text) ? ['contains the secret of an invitation'] : []),
  ];
  return {
    add: (/** @type {string} */ secret) => ofInvitations.add(secret),
    /** @type {(text: string, isCreation: boolean) => string[]} */
    findInAnswer(text, isCreation) {
      if (!isCreation) return flawsOfText(text);
      for (const [, secret = ''] of text.matchAll(OF_CREATION)) ofInvitations.add(secret);
      return [];
    },
    /** Finds the flaws of a log, with their lines. @type {(log: string) => {flaw: string, line: string}[]} */
    findInLog: (log) =>
      log.split('\n').flatMap((line) => {
        const isError = line.startsWith('{') && JSON.parse(line).level >= ERROR_LEVEL;
        return [...flawsOfText(line), ...(isError ? ['is an error'] : [])].map((flaw) => ({
          flaw: `a line of the log ${flaw}`,
          line,
        }));
      }),
  };
}
