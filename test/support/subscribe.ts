import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { parse } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** After an error, Apollo Client reads a constant of the global class, which Node.js has from version 22 on. */
globalThis.WebSocket ??= WebSocket as never;

/** A result as a client hands it to its user. */
export interface SubscriptionResult {
  // biome-ignore lint/suspicious/noExplicitAny: tests select different fields
  readonly data?: any;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[];
}

export interface Subscription {
  /** Returns the next result; undefined at the end. @throws what the client reports */
  next(): Promise<SubscriptionResult | undefined>;
  close(): void;
}

export interface SubscriptionRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

/** Starts a subscription with one of the clients. */
export type Subscribe = (url: string, token: string, request: SubscriptionRequest) => Subscription;

interface Sink {
  next(result: SubscriptionResult): void;
  error(error: unknown): void;
  complete(): void;
}

/** Turns the calls of a client into results that a test reads one by one. @param start returns a function that ends the subscription */
function collect(start: (sink: Sink) => () => void): Subscription {
  const outcomes: Promise<SubscriptionResult | undefined>[] = [];
  const waiting: ((outcome: Promise<SubscriptionResult | undefined>) => void)[] = [];
  const add = (outcome: Promise<SubscriptionResult | undefined>) => {
    outcome.catch(() => undefined);
    const take = waiting.shift();
    if (take) take(outcome);
    else outcomes.push(outcome);
  };
  const close = start({
    next: (result) => add(Promise.resolve(result)),
    error: (error) => add(Promise.reject(error)),
    complete: () => add(Promise.resolve(undefined)),
  });
  return { next: () => outcomes.shift() ?? new Promise((resolve) => waiting.push(resolve)), close };
}

export interface Outcome extends Partial<SubscriptionResult> {
  /** Everything that the client reports, as text. */
  readonly text: string;
}

/** Reads a result, or what the client reports instead: a list of errors, an error, or the end of a WebSocket. */
export async function readOutcome({ next }: Subscription): Promise<Outcome> {
  try {
    const result = (await next()) ?? {};
    return { ...result, text: JSON.stringify(result) };
  } catch (thrown) {
    const { errors, reason, code } = thrown as { errors?: SubscriptionResult['errors']; reason?: string; code?: number };
    const reported = Array.isArray(thrown) ? thrown : errors;
    return { ...(reported && { errors: reported }), text: `${thrown} ${JSON.stringify(reported)} ${code} ${reason}` };
  }
}

export const toWebsocketUrl = (url: string): string => `${url.replace('http', 'ws')}/graphql`;

const createTokenWsClient = (url: string, token: string) =>
  createWsClient({
    url: toWebsocketUrl(url),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: token },
    retryAttempts: 0,
  });

const overGraphqlWs: Subscribe = (url, token, request) => {
  const client = createTokenWsClient(url, token);
  return collect((sink) => {
    const end = client.subscribe(request, { ...sink, next: (result) => sink.next(result as SubscriptionResult) });
    return () => {
      end();
      void client.dispose();
    };
  });
};

const overGraphqlSse: Subscribe = (url, token, request) => {
  const client = createSseClient({ url: `${url}/graphql`, headers: { authorization: token }, retryAttempts: 0 });
  return collect((sink) => client.subscribe(request, { ...sink, next: (result) => sink.next(result as SubscriptionResult) }));
};

const overUrql: Subscribe = (url, token, { query, variables = {} }) => {
  const client = new UrqlClient({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: token } },
    fetchSubscriptions: true,
    exchanges: [fetchExchange],
  });
  return collect((sink) => {
    const { unsubscribe } = client.subscription(query, variables).subscribe(({ data, error, hasNext }) => {
      if (data || error) sink.next({ data, ...(error && { errors: error.graphQLErrors }) });
      if (!hasNext) sink.complete();
    });
    // urql rejects a promise that nobody handles if it is told to stop before it has resumed after a result.
    return () => void setImmediate(unsubscribe);
  });
};

const overApollo = (client: ApolloClient, { query, variables = {} }: SubscriptionRequest): Subscription =>
  collect((sink) => {
    const subscription = client.subscribe({ query: parse(query), variables }).subscribe({
      ...sink,
      next: ({ data, error }) => {
        const { errors } = (error ?? {}) as SubscriptionResult;
        if (error && !errors) sink.error(error);
        else sink.next({ data, ...(errors && { errors }) });
      },
    });
    return () => {
      subscription.unsubscribe();
      client.stop();
    };
  });

const overApolloMultipart: Subscribe = (url, token, request) => {
  const link = new HttpLink({ uri: `${url}/graphql`, headers: { authorization: token } });
  return overApollo(new ApolloClient({ link, cache: new InMemoryCache() }), request);
};

const overApolloWebsocket: Subscribe = (url, token, request) => {
  const client = createTokenWsClient(url, token);
  const { next, close } = overApollo(new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() }), request);
  return {
    next,
    close() {
      close();
      void client.dispose();
    },
  };
};

/** The clients that the documentation names. */
export const CLIENTS: Readonly<Record<string, Subscribe>> = {
  'graphql-ws': overGraphqlWs,
  'graphql-sse': overGraphqlSse,
  urql: overUrql,
  'Apollo Client over multipart responses': overApolloMultipart,
  'Apollo Client over a WebSocket': overApolloWebsocket,
};
