import type { FormattedExecutionResult } from 'graphql';
import { JsonText, toJson } from '../formats/json-text.js';

/** The end of a message whose payload was replaced by an empty string. The payload is the last member of a message. */
const REPLACED = '""}';

/**
 * graphql-ws serializes messages by `JSON.stringify`, which would round long numbers. `replace` makes the payload an empty
 * string, and `write` puts the JSON text in its place. Only one payload is kept at a time, because graphql-ws serializes and
 * sends a message without any other message in between.
 */
export function createTextPayloads() {
  let payload: JsonText | null = null;
  return {
    toPayload: (result: object): FormattedExecutionResult => new JsonText(toJson(result)) as FormattedExecutionResult,

    /** The `replacer` of `JSON.stringify`. */
    replace(_: string, value: unknown): unknown {
      if (!(value instanceof JsonText)) return value;
      payload = value;
      return '';
    },

    /**
     * Puts the payload into its message, and forgets it. Call this for each message, even if the message cannot be sent.
     * @returns the text of the message. `resultOf` is the id of the subscription if the message is a result, and otherwise null.
     *   Only results contain a `JsonText`.
     */
    write(message: string): { readonly text: string; readonly resultOf: string | null } {
      if (!payload) return { text: message, resultOf: null };
      const { id } = JSON.parse(message) as { readonly id: string };
      const { text } = payload;
      payload = null;
      return { text: `${message.slice(0, -REPLACED.length)}${text}}`, resultOf: id };
    },
  };
}
