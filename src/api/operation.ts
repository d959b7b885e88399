import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { KeyActor, UserActor } from '../audit/audit-trail.ts';
import type { Access, CallerAccess, CompanyScope } from '../auth/callers/access.ts';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import type { Caller } from '../auth/callers/roles.ts';
import type { ErrorCode } from '../entities/api-error.ts';
import type { Scope } from '../entities/api-key.ts';
import { entityTag } from '../http/response/entity-tag.ts';
import type { Output } from './output.ts';

/** One request for an operation: who asks, and for what, checked. */
export interface Call<Input, Found> {
  readonly input: Input;
  /** Null where anyone may call. */
  readonly caller: Found;
  /** The companies whose things the caller may see or change by it. */
  readonly reach: CompanyScope;
  /** Whom the audit trail names. */
  readonly actor: ActorOf<Found>;
  /** The header `If-Match`. */
  readonly ifMatch: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type ActorOf<Found> = Found extends KeyCaller ? KeyActor : Found extends Caller ? UserActor : null;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every operation says of itself, whatever it does. */
export interface Description {
  /** Its name in the table of who may do what, in metrics and in tests: `departments.list`. */
  readonly id: string;
  /** Its name in the OpenAPI document. The methods after the first have theirs with a suffix: `ByPost`, `ByGet`. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly path: string;
  /** GET and DELETE take the input from the query, and so does what takes CSV; the others from a JSON body. */
  readonly methods: readonly Method[];
  /** The human-readable text of the answer (spec.: Messages per operation). */
  readonly message: string;
  /** Whether it changes anything: a GET of it has no HEAD, and is refused to a browser that fetches ahead of a click. */
  readonly writes?: boolean;
  /** Bytes that a body may have, where that is more than usual. */
  readonly bodyLimit?: number;
  /** The body is CSV: `request.body` has its bytes. Few such requests are taken at once. */
  readonly takesCsv?: true;
  /** Whether pages of any origin may be let call it (`CORS_ORIGINS=*`): it tells everybody the same. */
  readonly allowAnyOrigin?: true;
  /** It is one of a standard that has documents of its own: the OpenAPI document does not tell of it. */
  readonly standard?: 'SCIM';
  /**
   * Answers have an `ETag`, of the answer itself where the handler does not set another; with a name, requests may send it back in this
   * header. Of raw answers the handler sets it.
   */
  readonly etag?: 'response' | 'If-None-Match' | 'If-Match';
  /** What a 412 shows as the present state, where that is another form than the answer. */
  readonly present?: TSchema;
  /** What a 400 shows besides, where the operation tells more of what is wrong than the fields. */
  readonly refused?: TSchema;
  /** Errors that it can give beyond those which follow from the rest of the record. */
  readonly errors?: readonly ErrorCode[];
}

/** The callers that an access and a scope let in. */
type CallerOf<A extends Access, S extends Scope | undefined> =
  | (A extends CallerAccess<infer Found> ? Found : null)
  | (S extends Scope ? (A extends CallerAccess<infer _, infer Key> ? Key : KeyCaller) : never);

interface Spec<Checked, A extends Access, Result, Services, S extends Scope | undefined> extends Description {
  readonly access: A;
  /** The scope by which an API key may call it; absent: none may. */
  readonly scope?: S;
  readonly output: Output<Result>;
  readonly handle: (call: Call<Checked, CallerOf<A, S>>, services: Services) => Result | Promise<Result>;
}

/** What an operation takes; without a schema it takes nothing, and nothing is parsed. */
type InputSpec<Input extends TObject, Checked> =
  | {
      readonly input: Input;
      /** Checks the input in the place of the rules of lists (input.ts). @throws ApiError `INVALID_INPUT` */
      readonly parse?: (raw: unknown) => Checked;
    }
  | { readonly input?: never; readonly parse?: never };

/** Bytes that the body of an operation on many things, or on one with all that a directory knows of it, may have. */
export const LARGE_BODY = 512 * 1024;
/** Bytes of a table. */
export const CSV_BODY = 10 * 1024 * 1024;

/** An operation of the service: all that its routes, its documentation and its tests are made from. */
export interface Operation<Services> extends Description {
  readonly access: Access;
  readonly scope?: Scope | undefined;
  readonly input: TObject | undefined;
  readonly parse: ((raw: unknown) => unknown) | undefined;
  readonly output: Output<unknown>;
  /** Does what is asked for, and gives the answer as it goes over the wire. */
  readonly run: (call: Call<unknown, Caller | KeyCaller | null>, services: Services) => Promise<unknown>;
}

/**
 * Declares an operation. The handler is given the checked input, the caller with the role that `access` asks for, and of what there is
 * in the service what it names; what it gives is wrapped by `output`.
 */
export function operation<
  Input extends TObject,
  A extends Access,
  Result,
  Services,
  Checked = Static<Input>,
  S extends Scope | undefined = undefined,
>(spec: Spec<Checked, A, Result, Services, S> & InputSpec<Input, Checked>): Operation<Services> {
  const { handle, output, message, input, parse } = spec;
  const setsTag = spec.etag !== undefined && !output.isRaw;
  return {
    ...spec,
    input,
    parse,
    output: output as Output<unknown>,
    async run(call, services) {
      // The route has checked the input by the schema, and found the caller by the access.
      const checked = call as Call<Checked, CallerOf<A, S>>;
      const result = await handle(checked, services);
      if (setsTag && !call.reply.hasHeader('etag')) call.reply.header('etag', entityTag(result as object));
      return output.wrap(message, result, checked.input as object | undefined);
    },
  };
}
