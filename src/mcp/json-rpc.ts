/** A code that JSON-RPC reserves for errors that the server defines. */
export const SERVER_ERROR = -32_000;
