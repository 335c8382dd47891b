import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { graphql } from './generated/gql.js';

export type GatewayRequest = ReturnType<typeof createRequest>;

export function createRequest(url: string, token: string) {
  return async <Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> => {
    const headers = { authorization: token, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: print(document), variables });
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
    if (!data || errors) throw new Error(errors?.[0]?.message ?? response.statusText);
    return data;
  };
}

const NewFlags = graphql(`
  query NewFlags($filter: EventFilter, $first: Int) {
    events(filter: $filter, first: $first) {
      nodes { type createdAt featureName data }
      totalCount
    }
  }
`);

/** The newest flags that were created or revived on the day `from` or later. */
export async function newFlags(request: GatewayRequest, from: string, first: number) {
  const { events } = await request(NewFlags, { filter: { types: ['FEATURE_CREATED', 'FEATURE_REVIVED'], from }, first });
  const flags = events.nodes.map(({ type, createdAt, featureName, data }) => {
    const createdOn: string | null = type === 'FEATURE_CREATED' ? createdAt.slice(0, 10) : null;
    return { flag: featureName, createdOn, data };
  });
  return { flags, total: events.totalCount };
}
