/** The code that a cancel request of PostgreSQL's protocol carries in place of a protocol version. */
export const CANCEL_REQUEST = 80_877_102;
