import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { KeyActor, UserActor } from '../audit/audit-trail.ts';
import type { Access, CallerAccess, CompanyScope, OperationScope } from '../auth/callers/access.ts';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import type { Caller } from '../auth/callers/roles.ts';
import type { ErrorCode } from '../entities/api-error.ts';
import type { RawFields } from '../entities/check-fields.ts';
import { entityTag, listsTag, tagOfAnswer } from '../http/response/entity-tag.ts';
import type { Output } from './output.ts';

/** A checked request for an operation. */
export interface Call<Input, Found> {
  readonly input: Input;
  /** Null for a public operation. */
  readonly caller: Found;
  /** Companies whose data the caller may see or change by this operation. */
  readonly scope: CompanyScope;
  /** Author of changes in the audit trail. */
  readonly actor: ActorOf<Found>;
  /** The header `If-Match`. */
  readonly ifMatch: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type ActorOf<Found> = Found extends KeyCaller ? KeyActor : Found extends Caller ? UserActor : null;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Metadata of an operation. */
export interface Description {
  /** Name in the access table, in metrics and in tests, such as `departments.list`. */
  readonly id: string;
  /** Name in the OpenAPI document; methods after the first append a suffix: `ByPost`, `ByGet`. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly path: string;
  /** GET, DELETE and CSV operations take their input from the query, others from a JSON body. */
  readonly methods: readonly Method[];
  /** Human-readable message of the response (spec.: Messages per operation). */
  readonly message: string;
  /** Whether it changes data: a GET then has no HEAD, and refuses prefetches. */
  readonly writes?: boolean;
  /** Whether a suspended API key may call it although it writes: it provisions ordinary people. Absent: it may not. */
  readonly provisions?: true;
  /** Maximum body size in bytes, if larger than the default. */
  readonly bodyLimit?: number;
  /** The body is CSV, as bytes in `request.body`; the number of such requests in flight is limited. */
  readonly takesCsv?: true;
  /** Whether `CORS_ORIGINS=*` allows pages of any origin: the response is the same for every caller. */
  readonly allowAnyOrigin?: true;
  /** Field of the response that is a secret: of a kept answer it is returned for one minute. */
  readonly secretField?: string;
  /** Operation of a documented standard; left out of the OpenAPI document. */
  readonly standard?: 'SCIM';
  /**
   * Responses have an `ETag`: a hash of the response unless the handler sets one; raw responses always leave it to the handler. With a
   * header name, requests may send it back in that header.
   */
  readonly etag?: 'response' | 'If-None-Match' | 'If-Match';
  /** Schema of the present state in a 412, if it differs from the response. */
  readonly present?: TSchema;
  /** Whether it ignores unknown parameters and fields, as the seven operations of the contract do. */
  readonly ignoresUnknown?: true;
  /** Whether it takes `fields.KEY` as filters, and `fields.KEY` as a sort key where it has `sort`: {@link OwnFilter}. */
  readonly filtersFields?: true;
  /** Schema of further details in a 400, if the operation reports more than field problems. */
  readonly refused?: TSchema;
  /** Error codes beyond those implied by the other properties. */
  readonly errors?: readonly ErrorCode[];
}

/** Callers admitted by an access rule and a scope. */
type CallerOf<A extends Access, S extends OperationScope | undefined> =
  | (A extends CallerAccess<infer Found> ? Found : null)
  | (S extends string ? (A extends CallerAccess<infer _, infer Key> ? Key : KeyCaller) : never);

interface Spec<Checked, A extends Access, Result, Services, S extends OperationScope | undefined>
  extends Omit<Description, 'methods' | 'path'> {
  /** Absent: as the id has it, `/api/users/set-substitute` for `users.setSubstitute`. */
  readonly path?: string;
  /** Absent: POST for an operation that writes, GET for any other. */
  readonly methods?: readonly Method[];
  readonly access: A;
  /** Absent: no API key may call it. */
  readonly scope?: S;
  readonly output: Output<Result>;
  readonly handle: (call: Call<Checked, CallerOf<A, S>>, services: Services) => Result | Promise<Result>;
}

/** Input of an operation; without a schema, nothing is parsed. */
type InputSpec<Input extends TObject, Checked, Found, Services> =
  | {
      readonly input: Input;
      /** Replaces the list parameter rules of input.ts. @throws ApiError `INVALID_INPUT` */
      readonly parse?: (raw: unknown, caller: Found) => Checked;
      /** Returns an invalid body without what it leaves as it is, which is parsed then. @throws ApiError */
      readonly withoutUnchanged?: (
        body: RawFields,
        call: Pick<Call<unknown, Found>, 'caller' | 'scope'>,
        services: Services,
      ) => Promise<RawFields>;
    }
  | { readonly input?: never; readonly parse?: never; readonly withoutUnchanged?: never };

/** Maximum body size of bulk operations, in bytes. */
export const LARGE_BODY = 512 * 1024;
/** Maximum size of a CSV body, in bytes. */
export const CSV_BODY = 10 * 1024 * 1024;

/** An operation: the source of its routes, documentation and tests. */
export interface Operation<Services> extends Description {
  readonly access: Access;
  readonly scope?: OperationScope | undefined;
  readonly input: TObject | undefined;
  readonly parse: ((raw: unknown, caller: Caller | KeyCaller | null) => unknown) | undefined;
  readonly withoutUnchanged:
    | ((
        body: RawFields,
        call: Pick<Call<unknown, Caller | KeyCaller | null>, 'caller' | 'scope'>,
        services: Services,
      ) => Promise<RawFields>)
    | undefined;
  readonly output: Output<unknown>;
  /** Runs the operation and returns the response body, or a promise of it. */
  readonly run: (call: Call<unknown, Caller | KeyCaller | null>, services: Services) => unknown;
}

/**
 * Declares an operation. The handler receives the checked input, the caller admitted by `access`, and the services; `output` wraps its
 * result.
 */
export function operation<
  Input extends TObject,
  A extends Access,
  Result,
  Services,
  Checked = Static<Input>,
  S extends OperationScope | undefined = undefined,
>(
  spec: Spec<Checked, A, Result, Services, S> & InputSpec<Input, Checked, CallerOf<A, S>, Services>,
): Operation<Services> {
  const { handle, output, message, input, parse, withoutUnchanged } = spec;
  const setsTag = spec.etag !== undefined && !output.isRaw;
  return {
    ...spec,
    path: spec.path ?? `/api/${inKebabCase(spec.id).replace('.', '/')}`,
    methods: spec.methods ?? [spec.writes ? 'POST' : 'GET'],
    input,
    parse: parse as Operation<Services>['parse'],
    withoutUnchanged: withoutUnchanged as Operation<Services>['withoutUnchanged'],
    output: output as Output<unknown>,
    run(call, services) {
      // The route has validated the input and authenticated the caller.
      const checked = call as Call<Checked, CallerOf<A, S>>;
      const answer = (result: Result) => {
        if (setsTag) {
          const tag = call.reply.getHeader('etag') ?? entityTag(result as object);
          call.reply.header('etag', tagOfAnswer(String(tag), result as object));
        }
        if (setsTag && isKnown(call)) return call.reply.code(304).send();
        return output.wrap(message, result, checked.input as object | undefined);
      };
      // The public lists are answered at once.
      const result = handle(checked, services);
      return result instanceof Promise ? result.then(answer) : answer(result);
    },
  };
}

/** Returns whether a read names the present version in `If-None-Match`. */
function isKnown({ request: { method, headers }, reply }: Call<unknown, unknown>): boolean {
  const known = headers['if-none-match'];
  return (
    known !== undefined && (method === 'GET' || method === 'HEAD') && listsTag(known, String(reply.getHeader('etag')))
  );
}

function inKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
