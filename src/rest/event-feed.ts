import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FEED_BATCH } from '../event-feed/event-feed.js';
import type { FeedStreams } from '../event-feed/feed-streams.js';
import { type FeedContext, type StreamOptions, streamPages } from '../event-feed/stream-pages.js';
import { EventFeedPageDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { sendStream } from '../http/stream-response.js';
import { chooseFeedFormat, type TextPage, toEmptyPage } from './feed-format.js';
import { type FeedParameters, parseFeedParameters } from './feed-parameters.js';
import { FEED_SCHEMA } from './feed-schema.js';
import type { RawParameters } from './filter-parameters.js';
import { startPages, streamFeed } from './stream-feed.js';

const FEED_PATH = '/v1/events/feed';

type FeedRequest = FastifyRequest<{ Querystring: RawParameters }>;

type EndOptions = Pick<StreamOptions<TextPage>, 'maxMs' | 'endsAtLogEnd'>;

/** Serves the feed as a page, as a page that waits for its first event, and as streams. */
export function registerEventFeed(app: FastifyInstance, documents: OwnDocuments, streams: FeedStreams): void {
  const readPage = async ({ filter }: FeedParameters, after: string, first: number, context: FeedContext): Promise<TextPage> => {
    const { isContinuation, pageCharacters } = context;
    const options = { isContinuation, pageCharacters };
    const variables = { filter, after, first };
    return (await documents.query(EventFeedPageDocument, variables, context as FastifyRequest['context'], options)).eventFeed;
  };

  const follow = (wanted: FeedParameters, after: string, batch: number, context: FeedContext, end: EndOptions) =>
    streamPages<TextPage>(streams, {
      read: (cursor, first, now) => readPage(wanted, cursor, first, now),
      toEmpty: toEmptyPage,
      lengthOf: ({ events }) => events.text.length,
      after,
      batch,
      context,
      ...end,
    });

  /** Reads a page, and waits for its first event if the client wants that. */
  const readOrWait = async (wanted: FeedParameters, { context, socket }: FeedRequest): Promise<TextPage> => {
    const size = wanted.limit;
    let page = await readPage(wanted, wanted.after, size, context);
    if (page.events.length > 0 || !wanted.wait) return page;
    // The idle timeout of the connection could end the wait.
    socket.setTimeout(0);
    try {
      for await (const next of follow(wanted, page.cursor, size, context, { maxMs: wanted.wait * 1000 })) {
        page = next;
        if (page.events.length > 0) break;
      }
    } finally {
      socket.setTimeout(app.server.timeout);
    }
    return page;
  };

  app.get<{ Querystring: RawParameters }>(
    FEED_PATH,
    { schema: FEED_SCHEMA, config: { readsLog: true } },
    async (request: FeedRequest, reply) => {
      const { query, context, headers, method, log } = request;
      const format = chooseFeedFormat(headers.accept);
      reply.header('vary', 'accept');
      const wanted = parseFeedParameters(query, headers['last-event-id']?.toString(), format);
      if (!format) {
        const page = await readOrWait(wanted, request);
        const next = new URLSearchParams({ ...(query as Record<string, string>), after: page.cursor });
        // A relative URL is also right if a proxy serves the gateway below a path.
        reply.header('link', `<?${next}>; rel="next"`);
        return { events: page.events, next: page.cursor, upToDate: page.upToDate };
      }
      const pages = follow(wanted, wanted.after, FEED_BATCH, context, { endsAtLogEnd: wanted.wait === 0 });
      // Ends the stream if the client disconnects before the stream is read. It would otherwise count as open forever.
      const end = () => void pages.return(undefined);
      context.signal.addEventListener('abort', end, { once: true });
      // If the first page fails, the client gets the status of its error.
      const started = await startPages(pages);
      if (context.signal.aborted) end();
      if (method === 'HEAD') await pages.return(undefined);
      return sendStream(request, reply, format.contentType, streamFeed(started, format, log));
    },
  );
}
