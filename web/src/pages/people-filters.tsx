import { NativeSelect } from '@mantine/core';
import { Filters } from '../parts/list-controls.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { useBands, useDepartments } from '../session/use-all.ts';
import { roleName, peopleTexts as words } from '../texts.ts';
import { COMPANY_ROLES } from './person-fields.ts';

type Sort = keyof typeof words.sorts;
/** Parameters of the address that change which people are listed, each with its value. */
const SHOWN = { activeOnly: 'true', inactiveOnly: 'true', signedIn: 'false', guests: 'true' } as const;
type Shown = keyof typeof SHOWN;
const SHOWN_NAMES = Object.keys(SHOWN) as Shown[];
const SORTS = Object.keys(words.sorts) as Sort[];

/** Returns the filters and the order of the list of people, from the address. */
export function usePeopleFilters() {
  const { value } = useAddressState();
  const role = COMPANY_ROLES.find((known) => known === value('role'));
  const sort = SORTS.find((known) => known === value('sort'));
  const isOn = (name: Shown) => value(name) === SHOWN[name];
  return {
    ...(value('departmentId') === '' ? {} : { departmentId: value('departmentId') }),
    ...(value('bandId') === '' ? {} : { bandId: value('bandId') }),
    ...(role === undefined ? {} : { role }),
    ...(isOn('activeOnly') ? { activeOnly: true } : {}),
    ...(isOn('inactiveOnly') && !isOn('activeOnly') ? { inactiveOnly: true } : {}),
    ...(isOn('signedIn') ? { signedIn: false } : {}),
    ...(isOn('guests') ? { guests: true } : {}),
    ...(sort === undefined ? {} : { sort }),
  };
}

type Choice = readonly [value: string, label: string];

/**
 * The controls of {@link usePeopleFilters}.
 *
 * @param companyId undefined if its departments and bands cannot be listed
 */
export function PeopleFilters({ companyId }: { companyId: string | undefined }) {
  const { value, change } = useAddressState();
  const departments = useDepartments(companyId);
  const bands = useBands(companyId);
  const filter = (name: string, label: string, choices: readonly Choice[]) => (
    <Select label={label} choices={choices} value={value(name)} choose={(chosen) => change({ [name]: chosen })} />
  );
  const byName = (things: readonly { id: string; name: string }[] | undefined) =>
    (things ?? []).map(({ id, name }) => [id, name] as const);
  const isSearched = value('search') !== '';
  return (
    <Filters>
      {companyId && filter('departmentId', words.department, [['', words.everyDepartment], ...byName(departments)])}
      {companyId && filter('bandId', words.band, [['', words.everyBand], ...byName(bands)])}
      {filter('role', words.role, [
        ['', words.everyRole],
        ...COMPANY_ROLES.map((role) => [role, roleName(role)] as const),
      ])}
      <Select
        label={words.show}
        choices={(['all', ...SHOWN_NAMES] as const).map((one) => [one, words.shown[one]])}
        value={SHOWN_NAMES.find((name) => value(name) === SHOWN[name]) ?? 'all'}
        choose={(chosen) =>
          change(Object.fromEntries(SHOWN_NAMES.map((name) => [name, name === chosen ? SHOWN[name] : ''])))
        }
      />
      {filter('sort', words.sort, [
        ['', isSearched ? words.bestMatch : words.sorts.name],
        ...SORTS.filter((sort) => isSearched || sort !== 'name').map((sort) => [sort, words.sorts[sort]] as const),
      ])}
    </Filters>
  );
}

interface SelectProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  choose: (value: string) => void;
}

function Select({ label, choices, value, choose }: SelectProps) {
  return (
    <NativeSelect
      w="12rem"
      label={label}
      data={choices.map(([one, name]) => ({ value: one, label: name }))}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
