import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { graphql } from './generated/gql.js';

export function createApolloClient(url: string, token: string): ApolloClient {
  const link = new HttpLink({ uri: `${url}/graphql`, headers: { authorization: token } });
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

const FlagHistory = graphql(`
  query FlagHistory($flag: String!) {
    featureEvents(featureName: $flag) {
      events { id type createdAt createdBy }
    }
  }
`);

/** Returns the history of a flag, newest first: one line per event. */
export async function flagHistory(client: ApolloClient, flag: string): Promise<string[]> {
  const { data } = await client.query({ query: FlagHistory, variables: { flag } });
  return (data?.featureEvents.events ?? []).map((event) => `${event.createdAt} ${event.createdBy} ${event.type}`);
}

const Invite = graphql(`
  mutation Invite($input: PublicSignupTokenCreateInput!) {
    createPublicSignupToken(input: $input) { url expiresAt enabled }
  }
`);

/** Creates an invite link. Needs an ADMIN token. */
export async function invite(client: ApolloClient, name: string, expiresAt: string) {
  const { data } = await client.mutate({ mutation: Invite, variables: { input: { name, expiresAt } } });
  return data?.createPublicSignupToken;
}
