import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  DateTimeISO: 'string',
  JSON: 'unknown',
  LocalDate: 'string',
};

/** Typed documents for the REST shim, which is the schema's own first client. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/generated/graphql/': {
      preset: 'client',
      documents: 'src/rest/*.graphql',
      presetConfig: { fragmentMasking: false },
      config: { scalars, useTypeImports: true, enumsAsTypes: true, emitLegacyCommonJSImports: false, strictScalars: true },
    },
  },
};

export default config;
