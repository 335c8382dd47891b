import type { Command } from 'commander';
import { printSchema } from 'graphql';

export function registerSchema(program: Command): void {
  program
    .command('schema')
    .description('print the GraphQL schema, for generating typed clients')
    .action(async () => {
      const { createGatewaySchema } = await import('../schema.js');
      // Nothing is executed, so the services are not needed.
      process.stdout.write(`${printSchema(createGatewaySchema({} as never, {} as never))}\n`);
    });
}
