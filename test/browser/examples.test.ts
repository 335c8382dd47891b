import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { createExamples } from '../../src/web/ide/examples.js';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

describe('examples of the IDE', () => {
  const examples = createExamples(new Date('2028-02-29T12:00:00Z')).map(({ query, variables = '{}' }) => {
    const document = parse(query);
    const operation = getOperationAST(document);
    return { document, operation, name: operation?.name?.value, variables: JSON.parse(variables) as Record<string, unknown> };
  });

  it('each example → an operation name, which is the title of its tab', () => {
    expect(examples.map(({ name }) => name)).toEqual(['NewestEvents', 'FlagHistory', 'SearchEvents', 'CreateInviteLink']);
  });

  it.each(examples)('$name → valid against the schema, with its variables', ({ document, operation, variables }) => {
    expect(validate(schema, document)).toEqual([]);
    expect(getVariableValues(schema, operation?.variableDefinitions ?? [], variables).errors).toBeUndefined();
  });

  it('default dates → a search of the last thirty days, an invite link for a week', () => {
    expect(examples[2]?.variables).toMatchObject({ filter: { from: '2028-01-30', to: '2028-02-29' } });
    expect(examples[3]?.variables).toMatchObject({ input: { expiresAt: '2028-03-07T00:00:00Z' } });
  });
});
