import { band } from '../../entities/band.ts';
import { department } from '../../entities/department.ts';
import { fieldOf } from '../../entities/entity.ts';
import { COMPANY_ROLES, type CompanyRole } from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { type Reading, text, type ValueKind } from '../../entities/values.ts';
import { type Column, columnsOf, type FileFormat, folderFormat } from '../read/import-format.ts';

/** Rows that a request brings at most. */
const MAX_PEOPLE = 50_000;

/** The column of the roles in the company, and of the staging table where they stand in order with spaces between. */
export const ROLES = 'roles';

/** Roles in a company, each once, with spaces or commas between. */
const rolesKind: ValueKind<string> = {
  rule: `roles among ${COMPANY_ROLES.join(', ')}, each once, with spaces or commas between`,
  sqlType: 'text',
  schema: { type: 'string' },
  check: (value) => rolesKind.parse(String(value)),
  parse(cell): Reading<string> {
    const words = cell.split(/[\s,]+/).filter((word) => word !== '');
    const isGood = words.length > 0 && words.every((word, place) => isRole(word) && words.indexOf(word) === place);
    return isGood ? { value: words.sort().join(' ') } : { code: 'INVALID_VALUE', expected: rolesKind.rule };
  },
};

function isRole(word: string): word is CompanyRole {
  return COMPANY_ROLES.some((role) => role === word);
}

/** The longest name of a department or band, or code of one. */
const anyName = text(200);

/** A column that tells a reference by the code of the row referred to or by a name that one row has. */
function byCodeOrName(name: string, field: 'departmentId' | 'bandId', code: string): Column {
  return {
    name,
    field,
    column: `${user.fields[field].column}_name`,
    kind: anyName,
    whenEmpty: undefined,
    whenAbsent: undefined,
    toldBy: [code, 'name'],
  };
}

/** What a new person has where the file has no such column: what `users/create` gives. */
function ofNewPerson(column: Column, companyId: string): Column {
  const { name, field } = column;
  if (name === 'companyId') return { ...column, isFixed: true, whenAbsent: companyId };
  if (field === 'companyId') return { ...column, isFixed: true };
  // The company's defaults are looked up.
  if (name === 'departmentId' || name === 'bandId') return { ...column, whenAbsent: null };
  if (name !== field) return column;
  return { ...column, whenAbsent: fieldOf(user, name).default ?? column.whenAbsent };
}

/** The format of people that a request brings to a company: `users.csv` without the company, with further columns. */
export function peopleFormat(companyId: string): FileFormat {
  return {
    entity: user,
    name: 'an import of people',
    companyId,
    maxRows: MAX_PEOPLE,
    columns: [
      ...columnsOf(user).map((column) => ofNewPerson(column, companyId)),
      byCodeOrName('department', 'departmentId', 'costCode'),
      byCodeOrName('band', 'bandId', 'code'),
      { name: ROLES, column: ROLES, kind: rolesKind, whenEmpty: null, whenAbsent: null },
    ],
  };
}

/** The formats whose staging tables the checks of people look at. */
export function stagedFormats(people: FileFormat): FileFormat[] {
  return [people, folderFormat(department), folderFormat(band)];
}
