import { isDeepStrictEqual } from 'node:util';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../audit/audit-trail.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../audit/audited-write.ts';
import { columnOf } from '../audit/entity-sql.ts';
import { type CompanyScope, companyForbidden } from '../auth/callers/access.ts';
import type { Database, Reader, Transaction } from '../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../db/sql/select-page.ts';
import { allOf, byName, contains, isUpdatedSince, type ShownName, timeColumns } from '../db/sql/sql-fragments.ts';
import { ApiError } from '../entities/api-error.ts';
import { inOneCase } from '../entities/characters.ts';
import { type AuditedEntity, type FieldName, fieldOf, type NewRowOf, type RowOf } from '../entities/entity.ts';
import { checkIfMatch } from '../http/response/entity-tag.ts';
import { changedFields } from './body.ts';
import { assertCompanyVisible } from './company-row.ts';
import { checkCustomFields, type Shown, showFields } from './custom-fields.ts';
import { assertHierarchy, checkReferences, hierarchyField, isOfCompany, lockHierarchy } from './hierarchy.ts';
import { TIMES } from './list-schemas.ts';
import { findUses, inUse } from './uses.ts';
import {
  alreadyExists,
  inScope,
  mapConflicts,
  notFound,
  retryOnUniqueViolation,
  type WriteRequest,
} from './write-request.ts';

/** Child rows of a company resource, written together with it. */
export interface Parts<View, Part> {
  /** Returns whether a row already has the parts of a repeated create, ignoring order and generated ids. */
  areSame(given: readonly Part[], view: View): boolean;
  /** Replaces the parts of the row with that id. @param present undefined for a new row @throws ApiError `INVALID_INPUT` */
  replace(
    transaction: Transaction,
    id: string,
    present: View | undefined,
    given: readonly Part[],
    actor: Actor,
  ): Promise<void>;
  removeAll(transaction: Transaction, present: View, actor: Actor): Promise<void>;
}

/** Definition of a resource that belongs to a company and is managed by the staff of that company. */
export interface CompanyResource<
  E extends AuditedEntity,
  Name extends FieldName<E>,
  View extends { companyId: string | null },
  Part,
> {
  entity: E;
  /** The other entities to whose rows of the same company its rows refer. */
  targets?: readonly AuditedEntity[];
  /** Select list of the view, for a statement on the entity's table, or on `from`. */
  columns: Sql | ((scope: CompanyScope) => Sql);
  /** Where rows are read, under the name of the table; absent: the table. */
  from?: Sql;
  /** How rows are listed. */
  listed?: {
    /** Select list of an item; absent: that of the view. */
    columns?: (filter: ListFilter) => Sql;
    /** Folded column in which a search looks. */
    searched?: Sql;
    /** The names of other rows that an item shows. */
    names?: readonly ShownName[];
    /** A further condition. */
    where?: (filter: ListFilter) => Sql | undefined;
    /** Absent: by name. */
    orderBy?: readonly SortKey[] | ((filter: ListFilter) => readonly SortKey[] | undefined);
  };
  /** The fields that an update may change. */
  writable: readonly Name[];
  /** Columns by which changes are found, and which answers lack. */
  hidden?: readonly Name[];
  /** Returns a row as answers show it, where that is not as it is stored. */
  show?: (row: View) => View;
  parts?: Parts<View, Part>;
  /** Checks permissions for particular changes, beyond the right to change the row. @param present the locked row @throws ApiError */
  checkChanges?: (
    transaction: Transaction,
    request: WriteRequest,
    present: View,
    changes: Partial<RowOf<E, Name>>,
  ) => Promise<void>;
  /** Checks the content of a row before it is written. @param companyId empty: of the platform @param row the values after the write @param present before it; undefined: none @throws ApiError */
  checkRow?: (
    transaction: Transaction,
    companyId: string,
    row: Readonly<Record<string, unknown>>,
    request: WriteRequest,
    present: View | undefined,
  ) => Promise<void>;
  /** Completes a write in its transaction. @param row as it is, or was before it was removed */
  afterWrite?: (transaction: Transaction, request: WriteRequest, row: View) => Promise<void>;
}

/** What a removal needs. */
export interface RemovalSources {
  db: Database;
  /** Every entity: some may refer to the row. */
  entities: readonly AuditedEntity[];
}

/** Parameters of a list of a company. */
export interface ListFilter {
  /** Absent: the rows of the platform. */
  companyId?: string;
  search?: string;
  updatedSince?: string;
  /** A filter by fields of one's own. */
  own?: readonly Sql[];
  /** Parts of an item that are requested. */
  include?: readonly string[];
  sort?: string;
  externalId?: string;
  userId?: string;
  /** Whether rows that nobody changes are listed too. */
  fixed?: boolean;
}

/** Returns the functions behind the list, get, create, update and delete operations of a company resource. */
export function crud<
  E extends AuditedEntity,
  Name extends FieldName<E>,
  View extends { companyId: string | null },
  Part = never,
  Listed = View,
>({
  entity,
  targets = [],
  columns,
  from = raw(entity.table),
  listed = {},
  writable,
  parts,
  checkChanges,
  checkRow,
  afterWrite,
  hidden = [],
  show = (row) => row,
}: CompanyResource<E, Name, View, Part>) {
  const insert = auditedInsert(entity);
  const update = auditedUpdate(entity, writable);
  const remove = auditedDelete(entity);
  const times = (include: readonly string[] = TIMES) => {
    const missing = include.filter((name) => entity.fields[name] === undefined);
    return entity.hasTimestamps ? timeColumns(entity.table, listed.names ?? [], missing) : empty;
  };
  const own = entity.fields.fields?.keyed ? sql`, ${raw(entity.table)}.fields::text as fields` : empty;
  const kept: readonly string[] = entity.fields.fields?.keyed ? [...hidden, 'fields'] : hidden;
  const above = hierarchyField(entity) as Name | undefined;
  const key: SortKey | undefined =
    fieldOf(entity, entity.id).kind.sqlType === 'text' ? { by: sql`id collate "C"`, type: 'text' } : undefined;

  /** Returns a row as answers show it. */
  function shown(row: View): View {
    return show(kept.length === 0 ? row : (omit(row, kept) as View));
  }

  /** Returns a written row as its answer shows it, with fields of one's own: in the transaction, which commits with the answer. */
  async function answered(transaction: Transaction, { caller }: WriteRequest, row: View): Promise<View> {
    const view = shown(row);
    if (own !== empty) await showFields(transaction, entity, caller, [view as View & Shown]);
    return view;
  }

  const columnsFor = (scope: CompanyScope) => (typeof columns === 'function' ? columns(scope) : columns);
  const row = raw(entity.table);

  /** Returns a row that may be read in a scope. @throws ApiError `NOT_FOUND` for a foreign or unknown id */
  async function find(db: Reader, id: string, scope: CompanyScope): Promise<View> {
    const [found] = await db.query<{ view: View }>(sql`
    select to_json(item) as view
      from (select ${columnsFor(scope)}${times()}${own} from ${from}
             where ${hasId(entity, id, scope, entity.ofPlatform)}) item`);
    if (found === undefined) throw notFound(entity.noun);
    return found.view;
  }

  /** Locks a row in scope until the transaction ends, and returns its present state. */
  async function lock(transaction: Transaction, id: string, scope: CompanyScope): Promise<View> {
    // Separate statement: the next one sees what earlier lock holders have committed.
    const locked = await transaction.query(sql`
      select from ${row} where ${hasId(entity, id, scope)} for update`);
    if (locked.length === 0) throw notFound(entity.noun);
    return find(transaction, id, scope);
  }

  /** Returns a row to write with its fields of one's own. @param present before it; undefined: none */
  async function withFields<Row extends object>(
    transaction: Transaction,
    { caller }: WriteRequest,
    row: Row,
    { id, companyId, present }: { id: string; companyId: string | null; present?: View },
  ): Promise<Row> {
    if (own === empty || companyId === null) return row;
    const { fields: given, ...others } = row as { fields?: string | null };
    const stored = present === undefined ? null : (present as { fields?: string | null }).fields;
    const change = { id, isNew: present === undefined, stored, given };
    const [fields] = await checkCustomFields(transaction, entity, { caller, companyId }, [change]);
    return (fields === undefined && present !== undefined ? others : { ...others, fields: fields ?? null }) as Row;
  }

  return {
    entity,
    writable,

    /** Returns one page of the rows of a company. */
    list: (db: Reader, filter: ListFilter, page: PageRequest): Promise<Page<Listed>> =>
      selectPage<Listed>(
        db,
        {
          columns: sql`${listed.columns?.(filter) ?? columnsFor('all')}${filter.include?.includes('externalId') ? sql`, ${columnOf(entity, 'externalId')} as "externalId"` : empty}${times(filter.include ?? (listed.searched && []))}`,
          from,
          row,
          where: allOf([
            ownedBy(entity, filter.companyId),
            listed.searched && contains(listed.searched, filter.search),
            isUpdatedSince(filter.updatedSince, filter.companyId, listed.names),
            filter.externalId === undefined
              ? undefined
              : sql`${columnOf(entity, 'externalId')} = ${filter.externalId}::text`,
            listed.where?.(filter),
            ...(filter.own ?? []),
          ]),
          orderBy:
            (typeof listed.orderBy === 'function' ? listed.orderBy(filter) : listed.orderBy) ??
            byName(filter.search, key),
        },
        page,
      ),

    get: async (db: Reader, id: string, scope: CompanyScope): Promise<View> => shown(await find(db, id, scope)),

    /** Adds a row with its parts; idempotent if it exists already with the same content. @throws ApiError `ALREADY_EXISTS` */
    create(
      db: Database,
      request: WriteRequest,
      sent: NewRowOf<E> & { id: string; companyId: string | null },
      given: readonly Part[] = [],
    ): Promise<View> {
      const { scope, actor } = request;
      const work = async (transaction: Transaction): Promise<View> => {
        if (sent.companyId !== null) await assertCompanyVisible(transaction, scope, sent.companyId);
        else if (scope !== 'all') throw companyForbidden(['SUPER_ADMIN']);
        const row = await withFields(transaction, request, sent, sent);
        await checkReferences(transaction, entity, targets, row.companyId ?? '', row);
        await checkRow?.(transaction, row.companyId ?? '', row, request, undefined);
        const [added] = await transaction.query<{ id: string }>(sql`
          with ${insert([row], actor)} select id from written`);
        if (added !== undefined) {
          await assertHierarchy(transaction, entity, [row.id]);
          await parts?.replace(transaction, row.id, undefined, given, actor);
        }
        const present = await find(transaction, row.id, scope).catch((error) => {
          // The id exists in another company.
          throw error instanceof ApiError && error.code === 'NOT_FOUND' ? alreadyExists(entity, ['id']) : error;
        });
        const isSame =
          isDeepStrictEqual({ ...row }, storedValues(entity, present, Object.keys(row))) &&
          (parts === undefined || parts.areSame(given, present));
        if (added === undefined && !isSame) throw alreadyExists(entity, ['id']);
        if (added !== undefined) await afterWrite?.(transaction, request, present);
        return answered(transaction, request, present);
      };
      return mapConflicts(entity, () => retryOnUniqueViolation(() => db.transaction(work)));
    },

    /**
     * Changes some fields, and replaces all parts if any are given.
     *
     * @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED`, `ALREADY_EXISTS`, and those of `checkChanges`
     */
    update(
      db: Database,
      request: WriteRequest,
      { id, patch }: { id: string; patch: Partial<RowOf<E, Name>> },
      given?: readonly Part[],
    ): Promise<View> {
      const { scope, actor, ifMatch } = request;
      const work = async (transaction: Transaction): Promise<View> => {
        const moves = above !== undefined && above in patch;
        if (moves) await lockHierarchy(transaction, entity, [id]);
        const present = await lock(transaction, id, scope);
        const written = await withFields(transaction, request, patch, { id, companyId: present.companyId, present });
        const changes = changedFields(written, present);
        await checkReferences(transaction, entity, targets, present.companyId ?? '', changes);
        await checkChanges?.(transaction, request, present, changes);
        checkIfMatch(ifMatch, shown(present), entity.noun);
        if (Object.keys(changes).length > 0) {
          await checkRow?.(transaction, present.companyId ?? '', { ...present, ...changes }, request, present);
          await write(transaction, update({ id, patch: changes, actor }));
          if (moves) await assertHierarchy(transaction, entity, [id]);
        }
        if (given !== undefined && parts !== undefined) {
          await parts.replace(transaction, id, present, given, actor);
        }
        if (given !== undefined || Object.keys(changes).length > 0) await afterWrite?.(transaction, request, present);
        return answered(transaction, request, await find(transaction, id, scope));
      };
      return mapConflicts(entity, () => db.transaction(work));
    },

    /**
     * Removes a row and returns its last state.
     *
     * @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED`, `IN_USE`
     */
    remove({ db, entities }: RemovalSources, request: WriteRequest, id: string): Promise<View> {
      const { scope, actor, ifMatch } = request;
      return db.transaction(async (transaction) => {
        const present = await lock(transaction, id, scope);
        checkIfMatch(ifMatch, shown(present), entity.noun);
        const used = await findUses(transaction, entity, id, entities);
        if (used.length > 0) throw inUse(entity.noun, used);
        await parts?.removeAll(transaction, present, actor);
        await write(transaction, remove([id], actor));
        await afterWrite?.(transaction, request, present);
        return shown(present);
      });
    },
  };
}

/** @param ofPlatform whether rows of the platform are in every scope */
function hasId(entity: AuditedEntity, id: string, scope: CompanyScope, ofPlatform = false): Sql {
  const { sqlType } = fieldOf(entity, entity.id).kind;
  const isVisible = inScope(scope, columnOf(entity, 'companyId'));
  return sql`
    ${columnOf(entity)} = ${inOneCase(id)}::${raw(sqlType)} and ${ofPlatform ? sql`(company_id is null or ${isVisible})` : isVisible}`;
}

/** Returns the condition for the rows of a company, with those of the platform; without a company for these alone. */
function ownedBy(entity: AuditedEntity, companyId: string | undefined): Sql {
  if (companyId === undefined) return sql`company_id is null`;
  return entity.ofPlatform ? isOfCompany(entity, companyId) : sql`company_id = ${companyId}`;
}

function omit(view: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));
}

/** Returns some fields of a view as they are stored: a list that answers show is one text. */
function storedValues(entity: AuditedEntity, view: object, names: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(view).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const { kind } = fieldOf(entity, name);
      const isJson = value !== null && (typeof value === 'object' || kind.sqlType === 'jsonb');
      const reading = isJson ? kind.check(value) : { value };
      return [name, 'value' in reading ? reading.value : value];
    }),
  );
}
