import type { components, paths } from './schema.ts';

/** What the service calls things, such as `Schemas['Profile']`. */
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
type TakesIfMatch<Found> = Found extends { parameters: { header?: infer Given } }
  ? [Exclude<Given, undefined>] extends [never]
    ? false
    : true
  : false;

/** What is read by GET. The one GET that writes is none of it: updates go by POST. */
export type ReadablePath = Exclude<PathsBy<'get'>, '/api/users/update-profile'>;
export type WritablePath = Exclude<PathsBy<'post'>, CsvPath>;
/** What takes a table in CSV. */
export type CsvPath = {
  [Path in PathsBy<'post'>]: Operation<Path, 'post'> extends { requestBody: { content: { 'text/csv': string } } }
    ? Path
    : never;
}[PathsBy<'post'>];

export type Query<Path extends keyof paths> =
  Operation<Path, 'get'> extends { parameters: { query?: infer Given } } ? Exclude<Given, undefined> : never;
/** What goes in the query beside a table. */
export type CsvQuery<Path extends CsvPath> =
  Operation<Path, 'post'> extends { parameters: { query: infer Given } } ? Given : never;
export type Body<Path extends keyof paths> =
  Operation<Path, 'post'> extends { requestBody?: { content: { 'application/json': infer Given } } } ? Given : never;
export type Answer<Path extends keyof paths> = JsonOf<Operation<Path, 'get'>>;
export type Written<Path extends keyof paths> = JsonOf<Operation<Path, 'post'>>;

/** The version of what is answered, to be sent as `ifMatch` with a change of it. */
type Versioned<Found> = HasETag<Found> extends true ? { etag: string } : unknown;
export type AnswerOfGet<Path extends ReadablePath> = Answer<Path> & Versioned<Operation<Path, 'get'>>;
export type AnswerOfPost<Path extends WritablePath | CsvPath> = Written<Path> & Versioned<Operation<Path, 'post'>>;

/** Lists that come in pages. */
export type ListPath = {
  [Path in ReadablePath]: Answer<Path> extends { data: readonly unknown[] }
    ? 'pagination' extends keyof Answer<Path>
      ? Path
      : never
    : never;
}[ReadablePath];
export type Item<Path extends ListPath> = Answer<Path> extends { data: readonly (infer Listed)[] } ? Listed : never;
/** A page of a list, and where it stands in it. */
export type PageOf<Path extends ListPath> = Answer<Path> & { pagination: Schemas['Pagination'] };
/** What narrows a list. `limit` is the size of its pages. */
export type ListQuery<Path extends ListPath> = Omit<Query<Path>, 'page' | 'isPaginationNeeded'>;

/** What goes with any request. */
export interface RequestOptions {
  /** Gives the request up, and the pauses before it is sent again. */
  signal?: AbortSignal | undefined;
}

/** What goes with a request that may change something. */
export interface PostOptions extends RequestOptions {
  /**
   * Whether it may be sent again where no answer came, so that it may have been done already. Absent: where the service promises that the
   * second time changes nothing.
   */
  repeatable?: boolean | undefined;
}

/** What goes with a change of what others may change meanwhile. */
export interface VersionedPostOptions extends PostOptions {
  /** The ETag of what was read: an ApiError `PRECONDITION_FAILED` where it has changed since. */
  ifMatch?: string | undefined;
}

type PostOptionsOf<Path extends WritablePath> =
  TakesIfMatch<Operation<Path, 'post'>> extends true ? VersionedPostOptions : PostOptions;

/** May be left out where nothing in it is needed. */
type Argument<Given, Rest> = [Given] extends [never]
  ? [none?: Record<string, never> | undefined, options?: Rest]
  : Record<string, never> extends Given
    ? [given?: Given | undefined, options?: Rest]
    : [given: Given, options?: Rest];

export type GetArguments<Path extends ReadablePath> = Argument<Query<Path>, RequestOptions>;
export type PostArguments<Path extends WritablePath> = Argument<Body<Path>, PostOptionsOf<Path>>;
export type ListArguments<Path extends ListPath> = Argument<ListQuery<Path>, RequestOptions>;
