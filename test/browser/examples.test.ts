import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { createExamples } from '../../src/web/ide/examples.js';
import { describeViewer, VIEWER_QUERY } from '../../src/web/ide/viewer.js';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

describe('examples of the IDE', () => {
  const examples = createExamples(new Date('2028-02-29T12:00:00Z')).map(({ query, variables = '{}' }) => {
    const document = parse(query);
    const operation = getOperationAST(document);
    return { document, operation, name: operation?.name?.value, variables: JSON.parse(variables) as Record<string, unknown> };
  });

  it('each example → an operation name, which is the title of its tab', () => {
    expect(examples.map(({ name }) => name)).toEqual([
      'NewestEvents',
      'FlagHistory',
      'SearchEvents',
      'LiveEvents',
      'CreateInviteLink',
    ]);
  });

  it.each(examples)('$name → valid against the schema, with its variables', ({ document, operation, variables }) => {
    expect(validate(schema, document)).toEqual([]);
    expect(getVariableValues(schema, operation?.variableDefinitions ?? [], variables).errors).toBeUndefined();
  });

  it('default dates → a search of the last thirty days, an invite link for a week', () => {
    expect(examples[2]?.variables).toMatchObject({ filter: { from: '2028-01-30', to: '2028-02-29' } });
    expect(examples[4]?.variables).toMatchObject({ input: { expiresAt: '2028-03-07T00:00:00Z' } });
  });
});

describe('the rights of a token', () => {
  const viewer = { name: 'dashboard', role: 'VIEWER', projects: null, expiresAt: null } as const;

  it('the query → valid against the schema', () => {
    expect(validate(schema, parse(VIEWER_QUERY))).toEqual([]);
  });

  it.each([
    [viewer, 'dashboard, VIEWER, all projects'],
    [{ ...viewer, role: 'ADMIN', projects: [] } as const, 'dashboard, ADMIN, no projects'],
    [{ ...viewer, projects: ['default'] }, 'dashboard, VIEWER, project default'],
    [{ ...viewer, projects: ['a', 'b', 'c'] }, 'dashboard, VIEWER, projects a, b, c'],
    [{ ...viewer, projects: ['a', 'b', 'c', 'd', 'e'] }, 'dashboard, VIEWER, projects a, b, c and 2 more'],
    [{ ...viewer, expiresAt: '2027-06-15T12:00:00.000Z' }, /^dashboard, VIEWER, all projects, expires 15 Jun 2027, \d\d:\d\d$/],
  ])('%j → %s', (rights, words) => {
    if (typeof words === 'string') expect(describeViewer(rights)).toBe(words);
    else expect(describeViewer(rights)).toMatch(words);
  });
});
