import type { Command } from 'commander';

export function registerSchema(program: Command): void {
  program
    .command('schema')
    .description('print the GraphQL schema, for generating typed clients')
    .action(async () => {
      const { printSchema } = await import('graphql');
      const { createGatewaySchema } = await import('../gateway-schema.js');
      // The schema needs no services, because no operation is executed.
      process.stdout.write(
        `${printSchema(createGatewaySchema({ events: {}, eventCounts: {}, eventFeed: {}, signupTokens: {} } as never))}\n`,
      );
    });
}
