import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { buildSchema, getOperationAST, parse, type Source } from 'graphql';
import { createRunOperation } from '../../src/graphql/run-operation.js';
import type { RequestContext } from '../../src/request-context.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const schema = buildSchema('type Query { a: Int }');
const context = {} as RequestContext;

/** Runs documents that nothing else refers to, and returns how many of them are in memory afterwards. */
async function countKept(documents: number, toText: (n: number) => string): Promise<number> {
  const run = createRunOperation(schema, {});
  const runDocument = async (text: string): Promise<WeakRef<Source>> => {
    const document = parse(text);
    const operation = getOperationAST(document) ?? undefined;
    await run({ document, operation, operationName: null, variables: {}, context });
    return new WeakRef(operation?.loc?.source as Source);
  };
  const found: WeakRef<Source>[] = [];
  for (let n = 0; n < documents; n += 1) found.push(await runDocument(toText(n)));
  // A reference that was created or read in this turn of the event loop is kept until its end.
  await new Promise(setImmediate);
  collectGarbage();
  await run({ document: parse('{ a }'), operation: undefined, operationName: null, variables: {}, context });
  return found.filter((reference) => reference.deref()).length;
}

test('documents that cannot be planned → none is kept', async () => {
  expect(await countKept(100, (n) => `{ __typename } # ${n}`)).toBeLessThan(5);
});

test('long documents with a short plan → few are kept, as many as have 200,000 characters', async () => {
  expect(await countKept(100, (n) => `{ a } # ${n} ${'x'.repeat(50_000)}`)).toBeLessThan(10);
});
