import type { Command } from 'commander';

export function registerOpenapi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the REST paths')
    .action(async () => {
      const { fastify } = await import('fastify');
      const { registerRest } = await import('../rest/routes.js');
      const app = fastify();
      // Only requests to the API use the other arguments. The only request here is for /openapi.json.
      await registerRest(app, undefined as never, undefined as never, undefined as never);
      await app.ready();
      process.stdout.write(`${JSON.stringify((await app.inject('/openapi.json')).json(), null, 2)}\n`);
    });
}
