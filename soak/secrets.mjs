/** Above the information that the gateway writes of each request. */
const ERROR_LEVEL = 50;
/** Wherever one begins. */
const THIRTY_TWO_HEX = /(?=([0-9a-f]{32}))/g;
/** The secret of an invitation in the answer of its creation, under whatever name, or in its link. */
const OF_CREATION = /(?:"|\?invite=)([0-9a-f]{32})"/g;

/**
 * What must not be in an answer or in the log: the secrets in use, and those of invitations as they become known.
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
    ...(inUse.some((secret) => text.includes(secret)) ? ['holds a secret in use'] : []),
    ...(holdsInvitation(text) ? ['holds the secret of an invitation'] : []),
  ];
  return {
    add: (/** @type {string} */ secret) => ofInvitations.add(secret),
    /** @type {(text: string, isCreation: boolean) => string[]} */
    findInAnswer(text, isCreation) {
      if (!isCreation) return flawsOfText(text);
      for (const [, secret = ''] of text.matchAll(OF_CREATION)) ofInvitations.add(secret);
      return [];
    },
    /** What is wrong with a log, by line. @type {(log: string) => {flaw: string, line: string}[]} */
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
