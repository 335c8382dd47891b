import type { TestGateway } from './test-gateway.js';

/** The arguments of the connection `events`. */
export interface PageArgs {
  readonly first?: number;
  readonly after?: string | null;
  readonly last?: number;
  readonly before?: string | null;
}

export interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: number } }[];
  readonly nodes: readonly { readonly id: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

const EVENTS = `query ($filter: EventFilter, $first: Int, $after: String, $last: Int, $before: String) {
  events(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } } nodes { id } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

export const requestPage = (gateway: TestGateway, filter: object, args: object) => gateway.graphql(EVENTS, { filter, ...args });

/** Reads a page of the connection. Throws if the response has errors. */
export async function readPage(gateway: TestGateway, filter: object, args: PageArgs): Promise<Page> {
  const { body, text } = await requestPage(gateway, filter, args);
  if (body.errors) throw new Error(text);
  return body.data.events as Page;
}

export const idsOf = ({ nodes }: Page): number[] => nodes.map(({ id }) => id);

/** Reads all pages from the newest event on, in the order of the list. `between` runs between two requests. */
export async function readForward(gateway: TestGateway, filter: object, size: number, between = async () => {}): Promise<Page[]> {
  const pages = [await readPage(gateway, filter, { first: size })];
  for (let page = pages[0] as Page; page.pageInfo.hasNextPage; pages.push(page)) {
    await between();
    page = await readPage(gateway, filter, { first: size, after: page.pageInfo.endCursor });
  }
  return pages;
}

/** Reads all pages from the oldest event back. @returns them in the order of the list */
export async function readBackward(
  gateway: TestGateway,
  filter: object,
  size: number,
  between = async () => {},
): Promise<Page[]> {
  const pages = [await readPage(gateway, filter, { last: size })];
  for (let page = pages[0] as Page; page.pageInfo.hasPreviousPage; pages.unshift(page)) {
    await between();
    page = await readPage(gateway, filter, { last: size, before: page.pageInfo.startCursor });
  }
  return pages;
}
