/** The code of JSON-RPC for errors that an implementation defines. */
export const SERVER_ERROR = -32_000;
