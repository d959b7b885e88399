import { type TProperties, Type } from 'typebox';
import type { CallerAccess, OperationScope } from '../auth/callers/access.ts';
import type { Database, Reader } from '../db/database.ts';
import type { Page } from '../db/sql/select-page.ts';
import type { ErrorCode } from '../entities/api-error.ts';
import type { AuditedEntity, FieldName, NewRowOf, RowOf } from '../entities/entity.ts';
import { givenFields, newRowFields } from '../entities/field-schemas.ts';
import { changesOf, readCreate, readId, readUpdate } from './body.ts';
import { assertCompanyVisible } from './company-row.ts';
import type { crud, ListFilter, RemovalSources } from './crud.ts';
import { type Shown, showFields } from './custom-fields.ts';
import {
  companyIdParameter,
  externalIdParameter,
  INCLUDED_FIELDS,
  idParameter,
  includeParameter,
  newIdParameter,
  searchParameter,
  updatedSince,
} from './list-schemas.ts';
import { operation } from './operation.ts';
import type { Output } from './output.ts';
import { type OwnFilter, ownConditions } from './own-filter.ts';
import { pageParameters, pageRequestOf } from './pagination.ts';
import { pluralOf } from './uses.ts';
import type { WriteRequest } from './write-request.ts';

/** Who may call operations. */
interface Admitted {
  access: CallerAccess;
  scope?: OperationScope;
}

/** What an operation has of its own. */
interface Own {
  id: string;
  /** Absent: the usual one. */
  description?: string;
  errors?: readonly ErrorCode[];
}

/** The body of a create or update that has more than the fields of the entity. */
interface Body<Given, View> {
  /** Schema of all fields but the id. */
  properties: TProperties;
  read: (raw: unknown) => Given;
  write: (db: Database, request: WriteRequest, given: Given) => Promise<View>;
}

/** Participles of the verbs, for messages. */
const DONE = { list: 'retrieved', get: 'retrieved', create: 'created', update: 'updated', delete: 'deleted' };
const FOR_ADMINS = 'For Corporate Admins of that company.';

/**
 * Returns makers of the operations of a company resource. Their texts follow from the noun of the entity.
 */
export function operationsOf<
  E extends AuditedEntity,
  Name extends FieldName<E>,
  View extends { companyId: string | null },
  Part,
  Listed,
>(
  rows: ReturnType<typeof crud<E, Name, View, Part, Listed>>,
  { output, reads, writes }: { output: Output<View>; reads: Admitted; writes: Admitted },
) {
  const { entity, writable } = rows;
  const { noun, fields } = entity as AuditedEntity;
  const id = idParameter(entity);
  const isExtended = fields.fields?.keyed === true;
  const forbids: readonly ErrorCode[] = isExtended ? ['FIELD_FORBIDDEN'] : [];

  function named(verb: keyof typeof DONE, { id: operationId, errors = [] }: Own, known: readonly ErrorCode[]) {
    const things = pluralOf(noun);
    const subject = verb === 'list' ? things : noun;
    const title = subject.replace(/(?:^| )\w/g, (letter) => letter.toUpperCase());
    return {
      id: operationId,
      operationId: verb + title.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tag: capitalised(things),
      summary: `${capitalised(verb)} ${subject}`,
      message: `${title} ${DONE[verb]} successfully`,
      errors: [...known, ...errors],
    };
  }

  return {
    /** @param own `searched`: the fields that a search looks at; `includes`: what `include` adds, by name; `more`: further parameters */
    list: (
      own: Own & {
        description: string;
        output: Output<Page<Listed>>;
        searched?: string;
        includes?: Readonly<Record<string, string>>;
        more?: TProperties;
        ignoresUnknown?: true;
      },
    ) =>
      operation({
        ...named('list', own, []),
        ...reads,
        ...(own.ignoresUnknown ? { ignoresUnknown: true } : {}),
        ...(isExtended ? { filtersFields: true } : {}),
        description: own.description,
        input: Type.Object({
          companyId: companyIdParameter,
          ...(own.searched === undefined
            ? {}
            : {
                search: searchParameter(own.searched),
                updatedSince,
                include: includeParameter({ ...own.includes, ...(isExtended ? INCLUDED_FIELDS : {}) }),
              }),
          ...(fields.externalId ? { externalId: externalIdParameter } : {}),
          ...own.more,
          ...pageParameters(100),
        }),
        output: own.output,
        async handle({ input, scope, caller }, { lists }: { lists: Reader }) {
          const filter = input as ListFilter;
          const { companyId } = filter;
          if (companyId !== undefined) await assertCompanyVisible(lists, scope, companyId);
          const { where } = isExtended
            ? await ownConditions(lists, entity, caller, companyId, input as OwnFilter)
            : { where: [] };
          const found = await rows.list(lists, { ...filter, own: where }, pageRequestOf(input));
          const isAsked = filter.include?.includes('fields') ?? false;
          // The lists of the contract have them only where they are asked for.
          if (isExtended && (isAsked || !own.ignoresUnknown)) {
            await showFields(lists, entity, caller, found.items as Shown[], { companyId, isAsked });
          }
          return found;
        },
      }),

    get: (own: Own) =>
      operation({
        ...named('get', own, ['NOT_FOUND']),
        ...reads,
        description:
          own.description ?? `One ${noun} with its company. For Corporate Admins and Managers of that company.`,
        etag: 'response',
        input: Type.Object({ id }),
        output,
        async handle({ input, scope, caller }, { db }: { db: Database }) {
          const found = await rows.get(db, input.id, scope);
          if (isExtended) await showFields(db, entity, caller, [found as View & Shown]);
          return found;
        },
      }),

    create: <Given = NewRowOf<E> & { id: string; companyId: string | null }>(own: Own, body?: Body<Given, View>) =>
      operation({
        ...named('create', own, ['ALREADY_EXISTS', ...forbids]),
        ...writes,
        description:
          own.description ??
          `Idempotent with a client-generated id: a repetition with the same content changes nothing. ${FOR_ADMINS}`,
        writes: true,
        etag: 'response',
        input: Type.Object({
          id: newIdParameter,
          ...(body?.properties ?? newRowFields(entity, ['companyId', ...writable])),
        }),
        parse: body?.read ?? ((raw) => readCreate(entity, ['companyId', ...writable], raw) as Given),
        output,
        handle: (call, { db }: { db: Database }) => (body?.write ?? rows.create)(db, call, call.input as never),
      }),

    update: <Given = { id: string; patch: Partial<RowOf<E, Name>> }>(own: Own, body?: Body<Given, View>) =>
      operation({
        ...named('update', own, ['NOT_FOUND', ...forbids]),
        ...writes,
        description:
          own.description ??
          `Changes the fields that are sent. With If-Match, fails with 412 if it has changed since it was read. ${FOR_ADMINS}`,
        writes: true,
        etag: 'If-Match',
        input: Type.Object({
          id,
          ...Type.Partial(Type.Object(body?.properties ?? givenFields(entity, writable))).properties,
        }),
        parse: body?.read ?? ((raw) => readUpdate(entity, writable, raw) as Given),
        withoutUnchanged: (given, { scope }, { db }: { db: Database }) =>
          changesOf(entity, given, (rowId) => rows.get(db, rowId, scope)),
        output,
        handle: (call, { db }: { db: Database }) => (body?.write ?? rows.update)(db, call, call.input as never),
      }),

    remove: (own: Own) =>
      operation({
        ...named('delete', own, ['NOT_FOUND']),
        ...writes,
        description: own.description ?? `Returns the deleted ${noun}. ${FOR_ADMINS}`,
        writes: true,
        etag: 'If-Match',
        input: Type.Object({ id }),
        parse: (raw) => readId(entity, raw),
        output,
        handle: (call, sources: RemovalSources) => rows.remove(sources, call, call.input.id),
      }),
  };
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
