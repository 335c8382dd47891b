import type { FormattedExecutionResult } from 'graphql';
import { JsonText, toJson } from '../formats/json-text.js';

/** The end of a message whose payload was replaced. The payload is its last member. */
const REPLACED = '""}';

/**
 * graphql-ws writes messages with `JSON.stringify`, which would round long numbers of the log. So it writes an empty text for the payload of a
 * result, and the JSON text of the result is put there. It writes and sends a message without a pause in between.
 */
export function createTextPayloads() {
  let payload: JsonText | null = null;
  return {
    /** Returns a result as a payload. */
    toPayload: (result: object): FormattedExecutionResult => new JsonText(toJson(result)) as FormattedExecutionResult,

    /** The `replacer` of `JSON.stringify`. */
    replace(_: string, value: unknown): unknown {
      if (!(value instanceof JsonText)) return value;
      payload = value;
      return '';
    },

    /** Puts the payload into its message. Call it for each message, also if nobody reads it. Only a result has such a payload. */
    write(message: string): { readonly text: string; readonly isResult: boolean } {
      if (!payload) return { text: message, isResult: false };
      const { text } = payload;
      payload = null;
      return { text: `${message.slice(0, -REPLACED.length)}${text}}`, isResult: true };
    },
  };
}
