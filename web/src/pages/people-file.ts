import type { Band, Department, ListedPerson } from '../api/types.ts';
import type { Column } from '../parts/data-table.tsx';
import { pageTexts, profileTexts, roleName, peopleTexts as words } from '../texts.ts';

/**
 * Returns the columns of the file, as "Import people" reads them: departments and bands with an ambiguous name are
 * identified by their code.
 */
export function fileColumns(
  departments: readonly Department[] | undefined,
  bands: readonly Band[] | undefined,
): Column<ListedPerson>[] {
  const { fields } = profileTexts;
  const costCode = new Map(departments?.map(({ id, costCode }) => [id, costCode]));
  const departmentNames = ambiguousTexts(departments?.map(({ name, costCode }) => [name, costCode]));
  const bandNames = ambiguousTexts(bands?.map(({ name, code }) => [name, code]));
  const text = (name: string, of: (person: ListedPerson) => string) => ({ name, text: of });
  return [
    text(fields.firstName, ({ firstName }) => firstName),
    text(fields.lastName, ({ lastName }) => lastName),
    text(words.email, ({ email }) => email),
    text(words.department, ({ department }) => {
      const name = department?.name ?? '';
      return departmentNames.has(name.toLowerCase()) ? (costCode.get(department?.id ?? '') ?? name) : name;
    }),
    text(words.band, ({ band }) => {
      const { name = '', code = '' } = band ?? {};
      return bands === undefined || bandNames.has(name.toLowerCase()) ? code : name;
    }),
    text(words.roles, ({ roles }) => roles.map(roleName).join(', ')),
    text(words.approvalLimit, ({ approvalLimit }) => approvalLimit ?? ''),
    text(words.status, ({ active }) => (active ? pageTexts.companies.active : pageTexts.companies.inactive)),
    text('ID', ({ id }) => id),
  ];
}

/** Returns the texts, in lower case, that identify more than one object. */
function ambiguousTexts(things: readonly (readonly string[])[] = []): ReadonlySet<string> {
  const all = things.flatMap((names) => [...new Set(names.map((name) => name.toLowerCase()))]);
  return new Set(all.filter((name, at) => all.indexOf(name) !== at));
}
