import type {
  AnswerOfGet,
  AnswerOfPost,
  CsvPath,
  CsvQuery,
  GetArguments,
  Item,
  ListArguments,
  ListPath,
  PageOf,
  PostArguments,
  ReadablePath,
  RequestOptions,
  Schemas,
  VersionedPostOptions,
  WritablePath,
} from './contract.ts';
import { type FeedOptions, type FeedPart, followFeed } from './feed.ts';
import { isRepeatable } from './repetition.ts';
import { type ClientOptions, sender } from './send.ts';

// biome-ignore lint/performance/noBarrelFile: this is what users of the package import.
export { ApiError } from './api-error.ts';
export type * from './contract.ts';
export type { FeedOptions, FeedPart } from './feed.ts';
export type { components, operations, paths } from './schema.ts';
export type { ClientOptions, TokenSource } from './send.ts';

/** A typed way to the service. What it answers with an error rejects with an `ApiError`. */
export interface Client {
  /** Reads by a path, such as `get('/api/users/get', { id })`. Gives the answer, and its `etag` where there is one. */
  get<Path extends ReadablePath>(path: Path, ...given: GetArguments<Path>): Promise<AnswerOfGet<Path>>;
  /** Sends by a path, such as `post('/api/users/update', { id, phone }, { ifMatch: etag })`. */
  post<Path extends WritablePath>(path: Path, ...given: PostArguments<Path>): Promise<AnswerOfPost<Path>>;
  /** Sends a table in CSV, such as `postCsv('/api/users/import', { companyId, dryRun: true }, csv)`. */
  postCsv<Path extends CsvPath>(
    path: Path,
    query: CsvQuery<Path>,
    csv: string,
    options?: RequestOptions,
  ): Promise<AnswerOfPost<Path>>;
  /** Everything on a list, asked for by pages of 100 unless `limit` says otherwise. */
  list<Path extends ListPath>(path: Path, ...given: ListArguments<Path>): AsyncGenerator<Item<Path>, void, undefined>;
  /** The pages of a list. */
  pages<Path extends ListPath>(
    path: Path,
    ...given: ListArguments<Path>
  ): AsyncGenerator<PageOf<Path>, void, undefined>;
  /** Each change as it comes, at least once and in order. The cursor is saved when all of an answer have been worked on. */
  changes(options?: FeedOptions): AsyncGenerator<Schemas['Change'], void, undefined>;
  /** The same in the parts in which they are answered, for those who keep the cursor together with what they made of the changes. */
  feed(options?: FeedOptions): AsyncGenerator<FeedPart, void, undefined>;
}

const PAGE_SIZE = 100;

/** Makes a client of the service. It works in Node and in browsers alike. */
export function createClient(options: ClientOptions): Client {
  const send = sender(options);

  async function* pages(path: string, query: object = {}, { signal }: RequestOptions = {}) {
    for (let page = 1; ; page++) {
      const asked = { limit: PAGE_SIZE, ...query, page, isPaginationNeeded: inFullUnlessAsked(path) };
      const answer = await send({ method: 'get', path, query: asked, signal, repeatable: true });
      yield answer;
      if (!(answer as PageOf<ListPath>).pagination.hasNextPage) return;
    }
  }

  async function* list(path: string, query?: object, given?: RequestOptions) {
    for await (const page of pages(path, query, given)) yield* (page as PageOf<ListPath>).data;
  }

  async function* changes(given: FeedOptions = {}) {
    for await (const { data } of followFeed(send, given)) yield* data;
  }

  // The types of the paths are those of the contract: nothing of them is left where the program runs.
  return {
    get: (path: string, query?: object, { signal }: RequestOptions = {}) =>
      send({ method: 'get', path, query, signal, repeatable: true }),
    post: (path: string, body?: object, { ifMatch, signal, repeatable }: VersionedPostOptions = {}) =>
      send({
        method: 'post',
        path,
        body,
        ifMatch,
        signal,
        repeatable: repeatable ?? isRepeatable(path, body, ifMatch),
      }),
    // What a table says is so already the second time.
    postCsv: (path: string, query: object, csv: string, { signal }: RequestOptions = {}) =>
      send({ method: 'post', path, query, csv, signal, repeatable: true }),
    list,
    pages,
    changes,
    feed: (given: FeedOptions = {}) => followFeed(send, given),
  } as unknown as Client;
}

/** The lists of the geography come in full unless pages are asked for; others know no such parameter. */
function inFullUnlessAsked(path: string): true | undefined {
  return /^\/api\/(?:cities|states|countries)\//.test(path) ? true : undefined;
}
