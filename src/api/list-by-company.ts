import sql, { raw, type Sql } from 'sql-template-tag';
import type { CompanyScope } from '../auth/callers/access.ts';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import { type Caller, isSuperAdmin } from '../auth/callers/roles.ts';
import type { Reader, Transaction } from '../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../db/sql/select-page.ts';
import { BY_ID } from '../db/sql/sql-fragments.ts';
import { apiErrors, problemOf } from '../entities/api-error.ts';
import type { AuditedEntity } from '../entities/entity.ts';
import { assertCompanyVisible } from './company-row.ts';
import { inScope, notFound } from './write-request.ts';

const NEWEST_FIRST: SortKey[] = [{ by: sql`created_at`, type: 'timestamptz', descending: true }, BY_ID];

/** Returns the functions that find a row in scope by its id, and lock it. @param columns select list of the view */
export function findersOf<View>({ table, noun }: Pick<AuditedEntity, 'table' | 'noun'>, columns: Sql) {
  const isOne = (id: string, scope: CompanyScope) =>
    sql`from ${raw(table)} where id = ${id} and ${inScope(scope, sql`company_id`)}`;

  /** @throws ApiError `NOT_FOUND` */
  async function find(db: Reader, id: string, scope: CompanyScope): Promise<View> {
    const [found] = await db.query<View & object>(sql`select ${columns} ${isOne(id, scope)}`);
    if (found === undefined) throw notFound(noun);
    return found;
  }

  /** @throws ApiError `NOT_FOUND` */
  async function lock(transaction: Transaction, id: string, scope: CompanyScope): Promise<View> {
    await transaction.query(sql`select ${isOne(id, scope)} for update`);
    return find(transaction, id, scope);
  }

  return { find, lock };
}

/**
 * Returns one page of the rows of a company, or of all companies, newest first.
 *
 * @param table has the columns `company_id`, `created_at` and `id`; `only`: a further condition
 * @throws ApiError `INVALID_INPUT` if the caller is no Super Admin and names no company; `COMPANY_FORBIDDEN` if a Super Admin names an
 * unknown one
 */
export async function listByCompany<View>(
  db: Reader,
  { caller, companyId, scope }: { caller: Caller | KeyCaller; companyId: string | undefined; scope: CompanyScope },
  { table, columns, only = sql`true` }: { table: string; columns: Sql; only?: Sql },
  page: PageRequest,
): Promise<Page<View>> {
  if (companyId === undefined && !isSuperAdmin(caller)) {
    throw apiErrors.invalidInput([problemOf('companyId', 'REQUIRED', 'is required')]);
  }
  if (companyId !== undefined) await assertCompanyVisible(db, scope, companyId);
  const where = companyId === undefined ? only : sql`company_id = ${companyId} and ${only}`;
  return selectPage<View>(db, { columns, from: raw(table), where, orderBy: NEWEST_FIRST }, page);
}
