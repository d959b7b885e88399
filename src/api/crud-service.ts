import { isDeepStrictEqual } from 'node:util';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../audit/audit-trail.ts';
import { auditedDelete, auditedInsert, auditedUpdate } from '../audit/audited-write.ts';
import { columnOf } from '../audit/entity-sql.ts';
import type { Database, Reader, Transaction } from '../db/database.ts';
import { type Entity, fieldOf } from '../entities/entity.ts';
import { inOneCase } from '../entities/uuid.ts';
import { checkIfMatch } from '../http/response/entity-tag.ts';
import { ApiError, type ErrorCode } from '../lib/errors.ts';
import { changedFields } from './body.ts';
import {
  alreadyExists,
  inScope,
  mapConflicts,
  notFound,
  retryOnUniqueViolation,
  type WriteRequest,
} from './write-request.ts';

/** Rows that belong to one of a company's things, and are written with it. */
export interface Parts<View> {
  /** The field of the view and of the bodies that has them. */
  name: string;
  /** Whether a row has the parts that a repeated create gives: but for what the service made up, and in whatever order. */
  areSame(given: unknown, view: View): boolean;
  /** Makes the parts of the row of that id those given. @throws ApiError `INVALID_INPUT` */
  replace(transaction: Transaction, id: string, present: View | undefined, given: unknown, actor: Actor): Promise<void>;
  /** Removes all of them. */
  removeAll(transaction: Transaction, present: View, actor: Actor): Promise<void>;
}

/** A thing as it is answered. */
export type ThingView = Record<string, unknown>;

/** What is a company's own affair, and how it is looked after. */
export interface OwnThing<View extends ThingView> {
  entity: Entity;
  /** Of the view, for a statement that selects from the entity's table. */
  columns: Sql;
  /** What a body may set, but for the id and the company. */
  writable: readonly string[];
  parts?: Parts<View>;
  /** Who may make which changes, beyond who may change one at all. */
  rules?: {
    errors: readonly ErrorCode[];
    /** @param present the locked row @throws ApiError one of the errors */
    check(transaction: Transaction, request: WriteRequest, present: View, changes: Partial<View>): Promise<void>;
  };
  /** What keeps a row from being deleted: `{ what, count }` for each, where the count is not 0. @param id in SQL */
  uses?: (id: Sql) => Sql;
}

/** A new one of a company's things, checked. */
export interface NewThing {
  id: string;
  companyId: string;
  [field: string]: unknown;
}

/** Finds one within reach. @throws ApiError `NOT_FOUND` for one that is foreign, or that there is not */
export async function findThing<View extends ThingView>(
  db: Reader,
  { entity, columns }: OwnThing<View>,
  id: string,
  reach: WriteRequest['reach'],
): Promise<View> {
  const [found] = await db.query<{ view: View }>(sql`
    select to_json(item) as view
      from (select ${columns} from ${raw(entity.table)}
             where ${isThing(entity, id, reach)}) item`);
  if (found === undefined) throw notFound(entity.noun);
  return found.view;
}

/** The services of a kind of thing, put together once. */
export function ownThings<View extends ThingView>(thing: OwnThing<View>) {
  const { entity, parts, writable, uses } = thing;
  const insert = auditedInsert(entity);
  const update = auditedUpdate(entity, writable);
  const remove = auditedDelete(entity);

  /** The present state of one that may be changed; nobody else changes it until the transaction ends. */
  async function lock(transaction: Transaction, id: string, { reach }: WriteRequest): Promise<View> {
    // A statement of its own: the next one sees what those before have committed.
    await transaction.query(sql`
      select from ${raw(entity.table)}
       where ${isThing(entity, id, reach)} for update`);
    return findThing(transaction, thing, id, reach);
  }

  return {
    /** Adds a thing, and its parts. One that is there already with the very same content is left as it is. @throws ApiError `ALREADY_EXISTS` */
    create(db: Database, { reach, actor }: WriteRequest, row: NewThing): Promise<View> {
      const given = parts && row[parts.name];
      const { [parts?.name ?? '']: _, ...fields } = row;
      const work = async (transaction: Transaction): Promise<View> => {
        const [added] = await transaction.query<{ id: string }>(sql`
          with ${insert([fields as never], actor)} select id from written`);
        if (added !== undefined) await parts?.replace(transaction, row.id, undefined, given, actor);
        const present = await findThing(transaction, thing, row.id, reach).catch((error) => {
          // Another company has it.
          throw error instanceof ApiError && error.code === 'NOT_FOUND' ? alreadyExists(entity.noun, ['id']) : error;
        });
        const isSame =
          isDeepStrictEqual(fields, pick(present, Object.keys(fields))) &&
          (parts === undefined || parts.areSame(given, present));
        if (added === undefined && !isSame) throw alreadyExists(entity.noun, ['id']);
        return present;
      };
      return mapConflicts(entity, () => retryOnUniqueViolation(() => db.transaction(work)));
    },

    /** Changes some fields, and all parts where they are given. @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED`, `ALREADY_EXISTS`, and what the rules say */
    update(
      db: Database,
      request: WriteRequest,
      { id, patch, given }: { id: string; patch: ThingView; given?: unknown },
    ): Promise<View> {
      const work = async (transaction: Transaction): Promise<View> => {
        const present = await lock(transaction, id, request);
        const changes = changedFields(patch as Partial<View>, present);
        await thing.rules?.check(transaction, request, present, changes);
        checkIfMatch(request.ifMatch, present, entity.noun);
        const { actor } = request;
        if (Object.keys(changes).length > 0) {
          await transaction.query(sql`with ${update({ id, patch: changes as never, actor })} select from written`);
        }
        if (given !== undefined) await parts?.replace(transaction, id, present, given, actor);
        return findThing(transaction, thing, id, request.reach);
      };
      return mapConflicts(entity, () => db.transaction(work));
    },

    /** Removes one, and gives it as it was. @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED`, `IN_USE` */
    remove(db: Database, request: WriteRequest, id: string): Promise<View> {
      return db.transaction(async (transaction) => {
        const present = await lock(transaction, id, request);
        checkIfMatch(request.ifMatch, present, entity.noun);
        const used = uses ? await transaction.query<Use>(uses(sql`${id}::uuid`)) : [];
        if (used.length > 0) throw inUse(entity.noun, used);
        await parts?.removeAll(transaction, present, request.actor);
        await transaction.query(sql`with ${remove([id], request.actor)} select from written`);
        return present;
      });
    },
  };
}

function isThing(entity: Entity, id: string, reach: WriteRequest['reach']): Sql {
  const { sqlType } = fieldOf(entity, entity.id).kind;
  return sql`${columnOf(entity)} = ${inOneCase(id)}::${raw(sqlType)} and ${inScope(reach, columnOf(entity, 'companyId'))}`;
}

interface Use {
  what: string;
  count: number;
}

function inUse(noun: string, used: readonly Use[]): ApiError {
  const uses = used.map(({ what, count }) => (count === 1 ? `1 ${what}` : `${count} ${what}s`));
  return new ApiError('IN_USE', `This ${noun} is in use by ${uses.join(' and ')}.`);
}

/** What keeps a department or a band: its people, and the company whose default it is. @param column that refers to it */
export function usesByPeople(column: string) {
  const counts = (id: Sql) => [
    sql`select 'user' as what, count(*)::integer as count from users where ${raw(column)} = ${id}`,
    sql`select 'company', count(*)::integer from companies where ${raw(`default_${column}`)} = ${id}`,
  ];
  return (id: Sql): Sql => sql`select what, count from (${join(counts(id), ' union all ')}) uses where count > 0`;
}

function pick(view: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, (view as Record<string, unknown>)[name]]));
}
