import type {
  AnswerOfGet,
  AnswerOfPost,
  AuditPath,
  CsvPath,
  CsvQuery,
  GetArguments,
  GroupsPage,
  GroupsQuery,
  Item,
  ListArguments,
  ListPath,
  PageOf,
  PostArguments,
  PostOptions,
  ReadablePath,
  RequestOptions,
  Schemas,
  VersionedPostOptions,
  WritablePath,
} from './contract.ts';
import { type FeedOptions, type FeedPart, followFeed } from './feed.ts';
import { newKey } from './repetition.ts';
import { type ClientOptions, sender } from './send.ts';

// biome-ignore lint/performance/noBarrelFile: this is what users of the package import.
export { ApiError } from './api-error.ts';
export type * from './contract.ts';
export type { FeedOptions, FeedPart } from './feed.ts';
export type { components, operations, paths } from './schema.ts';
export type { ClientOptions, ResponseHead, TokenSource } from './send.ts';

/** A typed client of the service. Error responses reject with an `ApiError`. */
export interface Client {
  /** Sends a GET, such as `get('/api/users/get', { id })`. Resolves to the response, with its `etag` if it has one. */
  get(path: AuditPath, query: GroupsQuery, options?: RequestOptions): Promise<GroupsPage>;
  get<Path extends ReadablePath>(path: Path, ...given: GetArguments<Path>): Promise<AnswerOfGet<Path>>;
  /** Sends a POST, such as `post('/api/users/update', { id, phone }, { ifMatch: etag })`. */
  post<Path extends WritablePath>(path: Path, ...given: PostArguments<Path>): Promise<AnswerOfPost<Path>>;
  /** Sends a CSV file, such as `postCsv('/api/users/import', { companyId, dryRun: true }, csv)`. */
  postCsv<Path extends CsvPath>(
    path: Path,
    query: CsvQuery<Path>,
    csv: string,
    options?: PostOptions,
  ): Promise<AnswerOfPost<Path>>;
  /** Yields all items of a list, read in pages of 100 unless `limit` is given. */
  list(
    path: AuditPath,
    query: GroupsQuery,
    options?: RequestOptions,
  ): AsyncGenerator<Schemas['ChangeGroup'], void, undefined>;
  list<Path extends ListPath>(path: Path, ...given: ListArguments<Path>): AsyncGenerator<Item<Path>, void, undefined>;
  /** Yields the pages of a list. */
  pages(path: AuditPath, query: GroupsQuery, options?: RequestOptions): AsyncGenerator<GroupsPage, void, undefined>;
  pages<Path extends ListPath>(
    path: Path,
    ...given: ListArguments<Path>
  ): AsyncGenerator<PageOf<Path>, void, undefined>;
  /** Yields each change, at least once and in order. The cursor is saved once all changes of a response have been consumed. */
  changes(options?: FeedOptions): AsyncGenerator<Schemas['Change'], void, undefined>;
  /** Yields the changes by response, for callers that store the cursor together with their own results. */
  feed(options?: FeedOptions): AsyncGenerator<FeedPart, void, undefined>;
}

const PAGE_SIZE = 100;
type ListAnswer = { pagination: Schemas['CursorPagination'] | (Schemas['Pagination'] & { next?: never }) };

/** Creates a client, for Node and browsers. */
export function createClient(options: ClientOptions): Client {
  const send = sender(options);

  async function* pages(path: string, query: { after?: string | null } = {}, given: RequestOptions = {}) {
    let after: string | null = query.after ?? 'start';
    for (let currentPage = 1; after !== null; currentPage++) {
      const requested: object = { limit: PAGE_SIZE, ...query, after };
      const answer = (await send({ method: 'get', path, query: requested, ...given, repeatable: true })) as ListAnswer;
      const { totalItems, pageSize, next } = answer.pagination;
      if (next === undefined)
        throw new TypeError(`${path} does not read by cursors: the service is older than this client`);
      const totalPages = Math.ceil(totalItems / pageSize);
      const position = { currentPage, totalPages, hasNextPage: next !== null, hasPreviousPage: after !== 'start' };
      yield { ...answer, pagination: { totalItems, ...position, pageSize, next } };
      after = next;
    }
  }

  async function* list(path: string, query?: object, given?: RequestOptions) {
    for await (const page of pages(path, query, given)) yield* (page as PageOf<ListPath>).data;
  }

  async function* changes(given: FeedOptions = {}) {
    for await (const { data } of followFeed(send, given)) yield* data;
  }

  // The types of paths come from the contract, and do not exist at run time.
  return {
    get: (path: string, query?: object, given: RequestOptions = {}) =>
      send({ method: 'get', path, query, ...given, repeatable: true }),
    post: (path: string, body?: object, given: VersionedPostOptions = {}) =>
      send({ method: 'post', path, body, ...keyed(given) }),
    postCsv: (path: string, query: object, csv: string, given: PostOptions = {}) =>
      send({ method: 'post', path, query, csv, ...keyed(given) }),
    list,
    pages,
    changes,
    feed: (given: FeedOptions = {}) => followFeed(send, given),
  } as unknown as Client;
}

/** Adds a key to what has none: by it the service does a repeated request once. */
function keyed<Given extends PostOptions>(given: Given) {
  const { repeatable = true, idempotencyKey = newKey() } = given;
  return { ...given, repeatable, idempotencyKey };
}
