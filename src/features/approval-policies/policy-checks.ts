import sql, { raw } from 'sql-template-tag';
import { checkValue, throwIfInvalid } from '../../api/body.ts';
import { erased, isErased, isOfCompany, notOfCompany } from '../../api/hierarchy.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { type FieldProblem, problemOf } from '../../entities/api-error.ts';
import type { AuditedEntity } from '../../entities/entity.ts';
import { group } from '../../entities/group.ts';
import { uuid, type ValueKind } from '../../entities/values.ts';
import { MAX_SCOPE_ITEMS } from './approval-policies-schemas.ts';

/** Checks the items of a list by their kind; of texts each as a list of its own. */
export function listProblems(
  field: string,
  given: unknown,
  kind: ValueKind<string>,
  most = MAX_SCOPE_ITEMS,
): FieldProblem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [problemOf(field, 'INVALID_TYPE', 'must be a list')];
  if (given.length > most) return [problemOf(field, 'TOO_LONG', `must have at most ${most} items`)];
  return given.flatMap((item, index) => {
    const checked = checkValue(`${field}[${index}]`, kind, kind === uuid ? item : JSON.stringify([item]));
    return checked.ok ? [] : checked.problems;
  });
}

/** Asserts that rows belong to the company, and locks them against removal. @throws ApiError `INVALID_INPUT`, `ERASED` */
export async function assertThere(
  transaction: Transaction,
  companyId: string,
  field: string,
  entity: AuditedEntity,
  wanted: readonly string[],
): Promise<void> {
  if (wanted.length === 0) return;
  const found = await transaction.query<{ id: string; isErased: boolean }>(sql`
    select id, ${isErased(entity.table)} as "isErased" from ${raw(entity.table)}
     where id = ${anyOf(wanted)} and ${isOfCompany(entity, companyId)} order by id for key share`);
  if (found.some((row) => row.isErased)) throw erased();
  const known = new Set(found.map(({ id }) => id));
  throwIfInvalid(wanted.flatMap((id) => (known.has(id) ? [] : [notOfCompany(field, entity.noun)])).slice(0, 1));
}

/** Asserts that a group is one of the company, of its own or of a directory. @throws ApiError `INVALID_INPUT` */
export async function assertGroup(
  transaction: Transaction,
  companyId: string,
  field: string,
  id: string | null | undefined,
): Promise<void> {
  if (!id) return;
  for (const table of [group.table, 'directory_groups']) {
    const found = await transaction.query(sql`
      select from ${raw(table)} where id = ${id}::uuid and company_id = ${companyId}::uuid for key share`);
    if (found.length > 0) return;
  }
  throwIfInvalid([notOfCompany(field, group.noun)]);
}
