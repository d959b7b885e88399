import { raw, type Sql } from 'sql-template-tag';
import { cellKindOf, type Definition } from '../../../api/field-values.ts';
import { band } from '../../../entities/band.ts';
import { company } from '../../../entities/company.ts';
import { department } from '../../../entities/department.ts';
import { fieldOf, type Key } from '../../../entities/entity.ts';
import { legalEntity } from '../../../entities/legal-entity.ts';
import { COMPANY_ROLES, isCompanyRole } from '../../../entities/roles.ts';
import { user } from '../../../entities/user.ts';
import { type Reading, text, type ValueKind } from '../../../entities/values.ts';
import { type Column, columnsOf, type FileFormat } from '../../../import/read/import-format.ts';
import type { StagedFile } from '../../../import/stage/staging.ts';

/** Maximum rows of a request. */
const MAX_PEOPLE = 50_000;

/** Column of the roles in the company, in the file and in the staging table, where they are sorted and separated by spaces. */
export const ROLES = 'roles';

/** Column of the other roles of the company, in the file by key or name, in the staging table by id; null: they stay. */
export const OWN_ROLES = 'ownRoles';

/** Key that stays with a person whose address changes. */
const EMPLOYEE_NUMBER: Key = { fields: ['companyId', 'employeeNumber'], ignoresCase: true };

/** Distinct roles in a company, separated by spaces or commas. */
const rolesKind: ValueKind<string> = {
  rule: `roles among ${COMPANY_ROLES.join(', ')}, each once, with spaces or commas between`,
  sqlType: 'text',
  schema: { type: 'string' },
  check: (value) => rolesKind.parse(String(value)),
  parse(cell): Reading<string> {
    const words = cell.split(/[\s,]+/).filter((word) => word !== '');
    const isGood =
      words.length > 0 && words.every((word, place) => isCompanyRole(word) && words.indexOf(word) === place);
    return isGood ? { value: words.sort().join(' ') } : { code: 'INVALID_VALUE', expected: rolesKind.rule };
  },
};

/** The entities to which people refer, and people themselves. */
const ENTITIES = [company, legalEntity, department, band, user];

/** A name or code of a department or band, up to the maximum length. */
const anyName = text(200);
const ownRolesKind = text(2000);

/** Returns a column that gives a reference by the code or by the unambiguous name of the target. */
function byCodeOrName(name: string, field: 'departmentId' | 'bandId', code: string): Column {
  return {
    name,
    field,
    column: `${user.fields[field].column}_name`,
    kind: anyName,
    whenEmpty: undefined,
    whenAbsent: undefined,
    keyFields: [code, 'name'],
    takesExternalId: true,
  };
}

/** Returns the column with the default of `users/create` for new people where the file lacks it. */
function ofNewPerson(column: Column, companyId: string): Column {
  const { name, field } = column;
  if (column.isExternal) return column;
  if (name === 'companyId') return { ...column, isFixed: true, whenAbsent: companyId };
  // The whole of the latter comes from the columns of its parts.
  if (field === 'companyId' || field === 'fields') return { ...column, isFixed: true };
  // The company's defaults are filled in later.
  if (name === 'departmentId' || name === 'bandId') return { ...column, whenAbsent: null };
  if (name !== field) return column;
  const { default: usual, describes = false } = fieldOf(user, name);
  // The number identifies people.
  return { ...column, describes: describes && name !== 'employeeNumber', whenAbsent: usual ?? column.whenAbsent };
}

/** Returns the name of the column of a field of one's own. */
export const ownColumnOf = ({ key }: Definition) => `fields.${key}` as const;

/** Returns a column for each field of one's own. */
function ownColumns(definitions: readonly Definition[]): Column[] {
  return definitions.map((definition, index) => ({
    name: ownColumnOf(definition),
    column: `own_field_${index}`,
    field: 'fields',
    part: definition.key,
    kind: cellKindOf(definition),
    whenEmpty: null,
    whenAbsent: null,
  }));
}

/** Returns the parts of `fields` that a file sets, with their columns in the staging table. */
export function ownParts({ columns }: StagedFile): { key: string; name: string; column: Sql }[] {
  return columns.flatMap(({ part, name, column }) =>
    part === undefined ? [] : [{ key: part, name, column: raw(`s.${column}`) }],
  );
}

/** Returns the format of an import of people into a company: `users.csv` without the company, plus department, band and roles. */
export function peopleFormat(companyId: string, definitions: readonly Definition[] = []): FileFormat {
  return {
    entity: user,
    entities: ENTITIES,
    name: 'an import of people',
    companyId,
    isForeign: true,
    otherKey: EMPLOYEE_NUMBER,
    maxRows: MAX_PEOPLE,
    columns: [
      ...columnsOf(user, ENTITIES).map((column) => ofNewPerson(column, companyId)),
      byCodeOrName('department', 'departmentId', 'costCode'),
      byCodeOrName('band', 'bandId', 'code'),
      { name: ROLES, column: ROLES, kind: rolesKind, whenEmpty: null, whenAbsent: null },
      { name: OWN_ROLES, column: 'own_roles', kind: ownRolesKind, whenEmpty: '', whenAbsent: null },
      ...ownColumns(definitions),
    ],
  };
}
