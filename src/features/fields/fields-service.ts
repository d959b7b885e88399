import sql, { raw } from 'sql-template-tag';
import { throwIfInvalid } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { checkFieldValue } from '../../api/field-values.ts';
import { namesNobody } from '../../api/own-filter.ts';
import { alreadyExists, inScope, type WriteRequest } from '../../api/write-request.ts';
import { type Actor, given } from '../../audit/audit-trail.ts';
import { deletedRows, write } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Database, Reader, Transaction, Writer } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, BY_ID, timeColumns } from '../../db/sql/sql-fragments.ts';
import { ApiError, type FieldProblem, problemOf } from '../../entities/api-error.ts';
import { entityOf } from '../../entities/entities.ts';
import { fieldOf } from '../../entities/entity.ts';
import { fieldDefinition, MAX_DEFINITIONS } from '../../entities/field-definition.ts';
import { fieldMessage } from '../../entities/values.ts';
import { FIELD_FIELDS, type FieldListInput, type FieldView, PLAIN_FIELDS } from './fields-schemas.ts';

const columns = sql`${selectFields(fieldDefinition, PLAIN_FIELDS)}, labels, choices, default_value as "default"`;

export const definitions = crud<typeof fieldDefinition, (typeof FIELD_FIELDS)[number], FieldView>({
  entity: fieldDefinition,
  columns,
  writable: FIELD_FIELDS,
  checkRow: checkDefinition,
});

/** Returns one page of the fields of the platform, and of a company, in their order. */
export function listFields(
  db: Reader,
  { companyId, entity }: FieldListInput,
  page: PageRequest,
): Promise<Page<FieldView>> {
  return selectPage<FieldView>(
    db,
    {
      columns: sql`${columns}${timeColumns(fieldDefinition.table, [], ['createdAt', 'updatedAt'])}`,
      from: sql`field_definitions`,
      where: allOf([
        companyId === undefined
          ? sql`company_id is null`
          : sql`(company_id is null or company_id = ${companyId}::uuid)`,
        entity === undefined ? undefined : sql`entity = ${entity}`,
      ]),
      orderBy: [
        { by: sql`entity`, type: 'text' },
        { by: sql`position`, type: 'bigint' },
        { by: sql`key collate "C"`, type: 'text' },
        BY_ID,
      ],
    },
    page,
  );
}

/** Checks a definition in itself, and a new one beside the others. @throws ApiError `INVALID_INPUT`, `ALREADY_EXISTS`, `LIMIT_REACHED` */
async function checkDefinition(
  transaction: Transaction,
  _companyId: string,
  row: Readonly<Record<string, unknown>>,
  _request: WriteRequest,
  present: FieldView | undefined,
): Promise<void> {
  const value = (name: 'choices' | 'default') =>
    row[name] === present?.[name] || typeof row[name] !== 'string' ? row[name] : JSON.parse(row[name]);
  const { type, pattern } = row as FieldView;
  const [choices, initial] = [value('choices') ?? null, value('default') ?? null];
  const problems: FieldProblem[] = [];
  const hasChoices = type === 'CHOICE' || type === 'CHOICES';
  if (hasChoices && choices === null) problems.push(problemOf('choices', 'REQUIRED', `is required of ${type}`));
  if (!hasChoices && choices !== null)
    problems.push(problemOf('choices', 'INVALID_VALUE', 'is of CHOICE and CHOICES alone'));
  if (type !== 'TEXT' && pattern) problems.push(problemOf('pattern', 'INVALID_VALUE', 'is of TEXT alone'));
  if (type === 'PERSON' && initial !== null) problems.push(problemOf('default', 'INVALID_VALUE', 'is of no PERSON'));
  throwIfInvalid(problems);
  const reading =
    initial === null ? { value: null } : checkFieldValue({ type, choices, pattern: pattern ?? null }, initial);
  if (!('value' in reading)) {
    throwIfInvalid([{ field: 'default', code: reading.code, message: fieldMessage('default', reading.expected) }]);
  }
  if (present === undefined) await assertRoom(transaction, row as FieldView);
}

/** Asserts that a new field has a key of its own, and that there are not too many. @throws ApiError `ALREADY_EXISTS`, `LIMIT_REACHED` */
async function assertRoom(transaction: Transaction, { id, companyId, entity, key }: FieldView): Promise<void> {
  // Two at once see each other.
  await transaction.query(sql`lock table field_definitions in share row exclusive mode`);
  const others = await transaction.query<{ companyId: string | null; count: number; isTaken: boolean }>(sql`
    select company_id as "companyId", count(*)::integer as count, bool_or(lower(key) = lower(${key})) as "isTaken"
      from field_definitions
     where entity = ${entity} and id <> ${id}::uuid and (${companyId}::uuid is null or company_id is null or company_id = ${companyId}::uuid)
     group by company_id`);
  if (others.some(({ isTaken }) => isTaken)) throw alreadyExists(fieldDefinition, ['key']);
  const ofPlatform = others.find((each) => each.companyId === null)?.count ?? 0;
  const ofCompanies = others.filter((each) => each.companyId !== null).map(({ count }) => count);
  if (ofPlatform + Math.max(0, ...ofCompanies) < MAX_DEFINITIONS) return;
  throw new ApiError('LIMIT_REACHED', `There are ${MAX_DEFINITIONS} fields of this entity already: delete one first.`);
}

/** Returns a definition with the number of rows that a required field lacks, and of those that name a person who is gone. */
export async function withMissing(db: Reader, found: FieldView, scope: CompanyScope): Promise<FieldView> {
  const { companyId, entity, key, required, active, type } = found;
  if (!active || (!required && type !== 'PERSON')) return found;
  const described = entityOf(entity);
  const isOf = companyId === null ? inScope(scope, ownerOf(entity)) : sql`${ownerOf(entity)} = ${companyId}::uuid`;
  const [row] = await db.query<{ missing: number; gone: number }>(sql`
    select count(*) filter (where not jsonb_exists(coalesce(fields, '{}'), ${key}))::integer as missing,
           ${type === 'PERSON' ? sql`count(*) filter (where ${namesNobody(described, key)})::integer` : sql`0`} as gone
      from ${raw(described.table)} where ${isOf}`);
  const { missing = 0, gone = 0 } = row ?? {};
  return { ...found, ...(required && { missing }), ...(type === 'PERSON' && { gone }) };
}

/** The column with the company of a row. */
function ownerOf(entity: string) {
  return raw(entity === 'company' ? 'id' : fieldOf(entityOf(entity), 'companyId').column);
}

/** Removes a definition with the values of its field. */
export async function removeField(
  transaction: Transaction,
  actor: Actor,
  found: Pick<FieldView, 'id' | 'companyId' | 'entity' | 'key'>,
): Promise<void> {
  await removeValues(transaction, found);
  const ids = sql`select id from field_definitions where id = ${found.id}::uuid`;
  await write(transaction, sql`${given(null, actor)}, ${deletedRows(fieldDefinition, ids)}`);
}

async function removeValues(
  db: Writer,
  { companyId, entity, key }: Pick<FieldView, 'companyId' | 'entity' | 'key'>,
): Promise<void> {
  const isOf = companyId === null ? sql`true` : sql`${ownerOf(entity)} = ${companyId}::uuid`;
  await db.query(sql`
    update ${raw(entityOf(entity).table)} set fields = fields - ${key}::text
     where ${isOf} and fields is not null and jsonb_exists(fields, ${key})`);
}

/** Days for which the values of an inactive field are kept. */
const KEPT_DAYS = 30;

/** Removes fields that have been inactive for 30 days, with their values. */
export async function removeOldFields(db: Database): Promise<void> {
  const old = await db.query<Pick<FieldView, 'id' | 'companyId' | 'entity' | 'key'>>(sql`
    select ${selectFields(fieldDefinition, ['id', 'companyId', 'entity', 'key'])} from field_definitions
     where not active and deactivated_at < now() - ${KEPT_DAYS}::integer * interval '1 day'`);
  for (const found of old) {
    await db.transaction(async (transaction) => {
      // Whoever activates it meanwhile keeps it.
      const [still] = await transaction.query(
        sql`select from field_definitions where id = ${found.id}::uuid and not active for update`,
      );
      if (still !== undefined) await removeField(transaction, { kind: 'command' }, found);
    });
  }
}
