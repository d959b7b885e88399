import type { Band, Department, ListedPerson } from '../api/types.ts';
import type { Column } from '../parts/data-table.tsx';
import { roleName } from '../roles.ts';
import { t } from '../translate.ts';

/**
 * Returns the columns of the file, as "Import people" reads them: departments and bands with an ambiguous name are
 * identified by their code.
 */
export function fileColumns(
  departments: readonly Department[] | undefined,
  bands: readonly Band[] | undefined,
): Column<ListedPerson>[] {
  const costCode = new Map(departments?.map(({ id, costCode }) => [id, costCode]));
  const departmentNames = ambiguousTexts(departments?.map(({ name, costCode }) => [name, costCode]));
  const bandNames = ambiguousTexts(bands?.map(({ name, code }) => [name, code]));
  const text = (name: string, of: (person: ListedPerson) => string) => ({ name, text: of });
  return [
    text(t('First name'), ({ firstName }) => firstName),
    text(t('Last name'), ({ lastName }) => lastName),
    text(t('E-mail'), ({ email }) => email),
    text(t('Department'), ({ department }) => {
      const name = department?.name ?? '';
      return departmentNames.has(name.toLowerCase()) ? (costCode.get(department?.id ?? '') ?? name) : name;
    }),
    text(t('Band'), ({ band }) => {
      const { name = '', code = '' } = band ?? {};
      return bands === undefined || bandNames.has(name.toLowerCase()) ? code : name;
    }),
    text(t('Roles'), ({ roles }) => roles.map(roleName).join(', ')),
    text(t('Approval limit'), ({ approvalLimit }) => approvalLimit ?? ''),
    text(t('Status'), ({ active }) => (active ? t('Active') : t('Inactive'))),
    text('ID', ({ id }) => id),
  ];
}

/** Returns the texts, in lower case, that identify more than one object. */
function ambiguousTexts(things: readonly (readonly string[])[] = []): ReadonlySet<string> {
  const all = things.flatMap((names) => [...new Set(names.map((name) => name.toLowerCase()))]);
  return new Set(all.filter((name, at) => all.indexOf(name) !== at));
}
