import type { components, paths } from './schema.ts';

/** Schemas of the API by name, such as `Schemas['Profile']`. */
export type Schemas = components['schemas'];

type Operation<Path extends keyof paths, Method extends 'get' | 'post'> =
  paths[Path] extends Readonly<Record<Method, infer Found>> ? Found : never;
type PathsBy<Method extends 'get' | 'post'> = {
  [Path in keyof paths]: Operation<Path, Method> extends never ? never : Path;
}[keyof paths];
type JsonOf<Found> = Found extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;
type HasETag<Found> = Found extends { responses: { 200: { headers: { ETag: string } } } } ? true : false;
type NamesOf<Given> = Given extends object ? keyof Given : never;
type TakesIfMatch<Found> = Found extends { parameters: { header?: infer Given } }
  ? 'If-Match' extends NamesOf<Given>
    ? true
    : false
  : false;

/** Paths to read by GET. Excludes the one GET that writes: updates use POST. */
export type ReadablePath = Exclude<PathsBy<'get'>, '/api/users/update-profile'>;
export type WritablePath = Exclude<PathsBy<'post'>, CsvPath>;
/** Paths that take CSV. */
export type CsvPath = {
  [Path in PathsBy<'post'>]: Operation<Path, 'post'> extends { requestBody: { content: { 'text/csv': string } } }
    ? Path
    : never;
}[PathsBy<'post'>];

export type Query<Path extends keyof paths> =
  Operation<Path, 'get'> extends { parameters: { query?: infer Given } } ? Exclude<Given, undefined> : never;
/** Query parameters of a request with CSV. */
export type CsvQuery<Path extends CsvPath> =
  Operation<Path, 'post'> extends { parameters: { query: infer Given } } ? Given : never;
export type Body<Path extends keyof paths> =
  Operation<Path, 'post'> extends { requestBody?: { content: { 'application/json': infer Given } } } ? Given : never;
/** Answers of lists that were requested by `page`, and not in groups. */
type ByPage<Found> = Found extends { pagination?: Schemas['Pagination'] | Schemas['CursorPagination'] }
  ? {
      [Name in keyof Found]: Name extends 'pagination'
        ? PagePagination | Exclude<Found[Name], object>
        : Found[Name] extends readonly (infer Listed)[]
          ? Exclude<Listed, Schemas['ChangeGroup']>[]
          : Found[Name];
    }
  : Found;
/** A page of the audit trail by request. */
export interface GroupsPage {
  success: true;
  message: string;
  data: Schemas['ChangeGroup'][];
  pagination: ReadPagination;
}
/** Query of the audit trail by request. */
export type GroupsQuery = Query<AuditPath> & { group: 'request' };
export type AuditPath = '/api/audit/list';
export type PagePagination = Schemas['Pagination'];
/** Position of a page; numbers count from where the reading began. */
export type ReadPagination = PagePagination & {
  /** Cursor of the next page, to go on with as `after`; null at the end. */
  next: string | null;
};
export type Answer<Path extends keyof paths> = ByPage<JsonOf<Operation<Path, 'get'>>>;
export type Written<Path extends keyof paths> = JsonOf<Operation<Path, 'post'>>;

/** ETag of the response, to be sent as `ifMatch` with an update. */
type Versioned<Found> = HasETag<Found> extends true ? { etag: string } : unknown;
export type AnswerOfGet<Path extends ReadablePath> = Answer<Path> & Versioned<Operation<Path, 'get'>>;
export type AnswerOfPost<Path extends WritablePath | CsvPath> = Written<Path> & Versioned<Operation<Path, 'post'>>;

/** Paths of paginated lists. */
export type ListPath = {
  [Path in ReadablePath]: Answer<Path> extends { data: readonly unknown[] }
    ? 'pagination' extends keyof Answer<Path>
      ? Path
      : never
    : never;
}[ReadablePath];
export type Item<Path extends ListPath> = Answer<Path> extends { data: readonly (infer Listed)[] } ? Listed : never;
/** A page of a list with its pagination block. */
export type PageOf<Path extends ListPath> = Answer<Path> & { pagination: ReadPagination };
/** Filter of a list; `limit` is the page size, and `after` the cursor of a page to go on with. */
export type ListQuery<Path extends ListPath> = Omit<Query<Path>, 'page' | 'isPaginationNeeded'>;

/** Options of every request. */
export interface RequestOptions {
  /** Aborts the request, including the pauses between retries. */
  signal?: AbortSignal | undefined;
  /** Time limit of each attempt, in milliseconds. Absent: the client's; ten minutes for CSV. */
  timeout?: number | undefined;
}

/** Options of a request that may write. */
export interface PostOptions extends RequestOptions {
  /** `false`: not retried without knowing whether the request was done. */
  repeatable?: boolean | undefined;
  /** Key by which the service does the request once, however often it is sent within 24 hours. Absent: a new one. */
  idempotencyKey?: string | undefined;
}

/** Options of a request with optimistic locking. */
export interface VersionedPostOptions extends PostOptions {
  /** ETag of the version read; rejects with an ApiError `PRECONDITION_FAILED` if it has changed since. */
  ifMatch?: string | undefined;
}

type PostOptionsOf<Path extends WritablePath> =
  TakesIfMatch<Operation<Path, 'post'>> extends true ? VersionedPostOptions : PostOptions;

/** Parameter list in which arguments without required properties are optional. */
type Argument<Given, Rest> = [Given] extends [never]
  ? [none?: Record<string, never> | undefined, options?: Rest]
  : Record<string, never> extends Given
    ? [given?: Given | undefined, options?: Rest]
    : [given: Given, options?: Rest];

export type GetArguments<Path extends ReadablePath> = Argument<Query<Path>, RequestOptions>;
export type PostArguments<Path extends WritablePath> = Argument<Body<Path>, PostOptionsOf<Path>>;
export type ListArguments<Path extends ListPath> = Argument<ListQuery<Path>, RequestOptions>;
