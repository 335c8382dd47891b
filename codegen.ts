import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  DateTimeISO: 'string',
  JSON: 'unknown',
  LocalDate: 'string',
};

const typedDocuments = (documents: string, presetConfig: object = {}) => ({
  documents,
  preset: 'client',
  presetConfig: { fragmentMasking: false, ...presetConfig },
  config: { scalars, useTypeImports: true, enumsAsTypes: true, emitLegacyCommonJSImports: false, strictScalars: true },
});

/** Typed documents for the schema's clients: the REST shim, which is the first of them, and the example of `docs/typed-clients.md`. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/generated/graphql/': typedDocuments('src/rest/*.graphql'),
    // With a list of them for gateways that run no others.
    'test/typed-clients/generated/': typedDocuments('test/typed-clients/*-client.ts', {
      persistedDocuments: { hashAlgorithm: 'sha256' },
    }),
  },
};

export default config;
