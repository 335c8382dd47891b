import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  DateTimeISO: 'string',
  JSON: 'unknown',
  LocalDate: 'string',
};

const typedDocuments = (documents: string | string[], presetConfig: object = {}, more: object = {}) => ({
  documents,
  preset: 'client',
  presetConfig: { fragmentMasking: false, ...presetConfig },
  config: { scalars, useTypeImports: true, enumsAsTypes: true, emitLegacyCommonJSImports: false, strictScalars: true, ...more },
});

/** Generates typed documents for the clients of the schema: the REST shim, the MCP server, the console, and the example of `docs/typed-clients.md`. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/generated/graphql/': typedDocuments(['src/rest/*.graphql', 'src/mcp/*.graphql']),
    // The documents are text, because the console has no GraphQL parser. It sends their hashes, which the gateway knows.
    'src/generated/console/': typedDocuments(
      'src/web/console/*.graphql',
      { persistedDocuments: { hashAlgorithm: 'sha256' } },
      { documentMode: 'string' },
    ),
    // Also writes the list of documents for gateways that run only trusted documents.
    'test/typed-clients/generated/': typedDocuments('test/typed-clients/*-client.ts', {
      persistedDocuments: { hashAlgorithm: 'sha256' },
    }),
  },
};

export default config;
