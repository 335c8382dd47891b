import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { PrismaPg } from '@prisma/adapter-pg';
import { GraphQLDateTimeISO, GraphQLJSON } from 'graphql-scalars';
import { PrismaClient } from '../../dist/generated/prisma/client.js';

/** The same response from Apollo's standalone server, a hand-written schema, and Prisma's findMany and count. It requires no token. */

const typeDefs = `
  scalar DateTimeISO
  scalar JSON
  type Query { searchEvents(filter: EventFilter, limit: Int! = 50): EventSearchResult! }
  input EventFilter { features: [String!] }
  type EventSearchResult { events: [Event!]! total: Int! }
  type Event {
    id: Int! createdAt: DateTimeISO! typeName: String! createdBy: String! createdByUserId: Int environment: String project: String
    featureName: String data: JSON preData: JSON tags: [Tag!]!
  }
  type Tag { type: String! value: String! }
`;

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });

const resolvers = {
  DateTimeISO: GraphQLDateTimeISO,
  JSON: GraphQLJSON,
  Query: {
    searchEvents: (
      /** @type {unknown} */ _,
      /** @type {{filter?: {features?: string[]}, limit: number}} */ { filter, limit },
    ) => {
      const where = filter?.features ? { featureName: { in: filter.features } } : {};
      return {
        events: () => prisma.event.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit }),
        total: () => prisma.event.count({ where }),
      };
    },
  },
  Event: { typeName: (/** @type {{type: string}} */ { type }) => type },
};

const { url } = await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), {
  listen: { host: '127.0.0.1', port: 0 },
});
process.stderr.write(`stock Apollo Server is ready at ${url}\n`);
