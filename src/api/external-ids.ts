import sql, { raw, type Sql } from 'sql-template-tag';
import { columnOf } from '../audit/entity-sql.ts';
import type { CompanyScope } from '../auth/callers/access.ts';
import type { Reader } from '../db/database.ts';
import { ApiError, apiErrors, problemOf } from '../entities/api-error.ts';
import { EXTERNAL_ID, isCanonicalUuid, isStorable } from '../entities/characters.ts';
import { isObject, type RawFields } from '../entities/check-fields.ts';
import { ALL_ENTITIES, ENTITIES } from '../entities/entities.ts';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';
import type { Operation } from './operation.ts';
import { inScope } from './write-request.ts';

/** Levels of objects and lists in which a request may name rows. */
const MAX_DEPTH = 6;

/** A row that a request names so. */
interface Named {
  /** The object or list that holds the value, and where. */
  holder: Record<string | number, unknown>;
  key: string | number;
  path: string;
  entity: AuditedEntity;
  value: string;
  /** The objects around it, the inner ones first. */
  around: readonly RawFields[];
}

/** Entities with external ids by the names of fields that refer to them. */
export const TARGETS = targetsByField();

function targetsByField(): ReadonlyMap<string, AuditedEntity> {
  const found = new Map<string, Set<string>>();
  for (const { fields } of ALL_ENTITIES) {
    for (const [name, { references, lists }] of Object.entries(fields)) {
      const target = references ?? lists;
      if (target !== undefined) found.set(name, (found.get(name) ?? new Set()).add(target));
    }
  }
  return new Map(
    [...found].flatMap(([field, names]) => {
      const target = names.size > 1 ? undefined : ENTITIES.find(({ name }) => names.has(name));
      return target?.fields.externalId === undefined ? [] : [[field, target]];
    }),
  );
}

/** Where the `id` in a request is that of a row of its own entity: at the top, or in a list of changes. */
const IS_ROW = /^(?:update\[\d+\])?$/;

/** Returns whether an operation takes external ids: the seven of the contract take ids alone. */
export function namesByExternalIds({ access, standard, ignoresUnknown }: Operation<never>): boolean {
  return !standard && access.name !== 'public' && !ignoresUnknown;
}

/** Returns the entity with external ids whose rows are at a path such as `/api/departments/get`. */
export function entityAt(path: string): AuditedEntity | undefined {
  return ENTITIES.find(({ file, fields }) => fields.externalId && path.startsWith(`/api/${file.replace('.csv', '/')}`));
}

/** Finds the rows that a request names by their external ids. @param own the entity of its `id` */
export function externalIdsIn(given: unknown, own: AuditedEntity | undefined): Named[] {
  const found: Named[] = [];
  const walk = (
    holder: unknown,
    path: string,
    depth: number,
    around: readonly RawFields[],
    named?: AuditedEntity,
  ): void => {
    const inside = Array.isArray(holder) ? around : [holder as RawFields, ...around];
    for (const [key, value] of Object.entries(holder as RawFields)) {
      const isItem = Array.isArray(holder);
      const at = isItem ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      const entity = isItem ? named : key === 'id' && IS_ROW.test(path) ? own : TARGETS.get(key);
      if (typeof value === 'string') {
        if (entity === undefined || !value.startsWith(EXTERNAL_ID)) continue;
        const of = { holder: holder as Named['holder'], key, path: at, entity };
        found.push({ ...of, value: value.slice(EXTERNAL_ID.length).trim(), around: inside });
      } else if (typeof value === 'object' && value !== null && key !== 'fields' && depth < MAX_DEPTH)
        walk(value, at, depth + 1, inside, entity);
    }
  };
  if (isObject(given) && !Buffer.isBuffer(given)) walk(given, '', 1, []);
  return found;
}

/**
 * Puts the ids of these rows into the request. A row is in the company that the request names, or in that of the row with its `id`;
 * otherwise in one of the companies in scope.
 *
 * @param request `scope`: the companies, or the person whose company is the only one
 * @throws ApiError `NOT_FOUND`, `INVALID_INPUT` where there is none, or one in several companies
 */
export async function resolveExternalIds(
  db: Reader,
  named: readonly Named[],
  request: { scope: CompanyScope | { userId: string }; given: RawFields; own: AuditedEntity | undefined },
): Promise<void> {
  const { given, own } = request;
  const scope = await scopeOf(db, request.scope);
  const turnOf = ({ entity, path }: Named) => (entity.name === 'company' ? 'company' : path === 'id' ? 'id' : 'other');
  const ofTurn = (turn: ReturnType<typeof turnOf>) => named.filter((each) => turnOf(each) === turn);
  await resolve(db, ofTurn('company'), scope, undefined);
  await resolve(db, ofTurn('id'), scope, undefined);
  const others = ofTurn('other');
  if (others.length > 0) await resolve(db, others, scope, await companyOf(db, given, own));
}

/** Returns a scope: that of a person is their own company. */
async function scopeOf(db: Reader, scope: CompanyScope | { userId: string }): Promise<CompanyScope> {
  if (typeof scope === 'string' || !('userId' in scope)) return scope;
  const rows = await db.query<{ id: string }>(sql`select company_id as id from users where id = ${scope.userId}::uuid`);
  return rows.map(({ id }) => id);
}

/** Returns the company of the row whose `id` a request has. */
async function companyOf(db: Reader, { id }: RawFields, own: AuditedEntity | undefined): Promise<string | undefined> {
  if (own === undefined || typeof id !== 'string' || !isCanonicalUuid(id)) return undefined;
  const { sqlType } = fieldOf(own, own.id).kind;
  const [row] = await db.query<{ companyId: string }>(sql`
    select ${companyColumn(own)} as "companyId" from ${raw(own.table)} t where id = ${id}::${raw(sqlType)}`);
  return row?.companyId;
}

function companyColumn({ name }: AuditedEntity): Sql {
  return name === 'company' ? sql`t.id` : sql`t.company_id`;
}

async function resolve(
  db: Reader,
  named: readonly Named[],
  scope: CompanyScope,
  namedCompany: string | undefined,
): Promise<void> {
  for (const entity of new Set(named.map((each) => each.entity))) {
    const wanted = named.filter((each) => each.entity === entity);
    const rows = wanted.map(({ value, around }, nth) => {
      const inner = around
        .map(({ companyId }) => companyId)
        .find((id) => typeof id === 'string' && isCanonicalUuid(id));
      // What cannot be stored is nobody's.
      return {
        nth,
        value: isStorable(value) ? value : null,
        company: entity.name === 'company' ? null : (inner ?? namedCompany ?? null),
      };
    });
    const externalId = sql`t.${columnOf(entity, 'externalId')} = wanted.value`;
    const visible = inScope(scope, companyColumn(entity));
    // By each company, as its index has the company first.
    const anywhere =
      entity.name === 'company'
        ? sql`select t.id from companies t where ${externalId} and ${visible}`
        : sql`select t.id from companies join ${raw(entity.table)} t on t.company_id = companies.id
               where wanted.company is null and ${externalId} and ${visible}`;
    const found = await db.query<{ nth: number; id: string }>(sql`
      select nth, t.id::text as id
        from json_to_recordset(${JSON.stringify(rows)}::text::json) as wanted (nth integer, value text, company uuid),
             lateral ((${anywhere} limit 2)
                      union all
                      select t.id from ${raw(entity.table)} t
                       where ${companyColumn(entity)} = wanted.company and ${externalId} and ${visible}) t`);
    for (const [nth, each] of wanted.entries()) {
      const [first, ...others] = found.filter((row) => row.nth === nth);
      if (first === undefined || others.length > 0) throw refusal(each, others.length > 0);
      each.holder[each.key] = first.id;
    }
  }
}

function refusal({ path, entity: { name, noun } }: Named, isAmbiguous: boolean): ApiError {
  if (path === 'id' && !isAmbiguous) return new ApiError('NOT_FOUND', `There is no ${noun} with this externalId.`);
  const where = name === 'company' ? '' : ' of this company';
  const expected = isAmbiguous
    ? `is the externalId of a ${noun} in several companies: send the id instead`
    : `must be the externalId of a ${noun}${where}`;
  return apiErrors.invalidInput([problemOf(path, 'INVALID_VALUE', expected)]);
}
