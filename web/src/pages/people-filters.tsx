import { MultiSelect, NativeSelect } from '@mantine/core';
import type { Query } from '../api/types.ts';
import { WORKER_TYPE_NAMES } from '../labels.ts';
import { type Choice, choicesOf } from '../parts/choices.ts';
import { ChoiceFilter, PersonFilter } from '../parts/filters.tsx';
import { Filters } from '../parts/list-controls.tsx';
import { type OwnFields, OwnFilters } from '../parts/own-fields.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { Views } from '../parts/views.tsx';
import { useBands, useDepartments } from '../session/queries.ts';
import { t } from '../translate.ts';
import { ROLE_CHOICES } from './person-fields.ts';

const SORT_LABELS = {
  name: t('Name, A to Z'),
  '-name': t('Name, Z to A'),
  '-approvalLimit': t('Highest limit first'),
  approvalLimit: t('Lowest limit first'),
  '-updatedAt': t('Last changed first'),
};
const SHOWN_LABELS = {
  all: t('Everybody'),
  activeOnly: t('Active people'),
  inactiveOnly: t('Inactive people'),
  signedIn: t('Those who have never signed in'),
  guests: t('Guests from other companies'),
};

/** By name people are listed anyway. */
const { name: _, ...OTHER_SORTS } = SORT_LABELS;

type Sort = keyof typeof SORT_LABELS;
/** Parameters of the address that change which people are listed, each with its value. */
const SHOWN = { activeOnly: true, inactiveOnly: true, signedIn: false, guests: true } as const;
type Shown = keyof typeof SHOWN;
const SHOWN_NAMES = Object.keys(SHOWN) as Shown[];
const SORTS = Object.keys(SORT_LABELS) as Sort[];
/** Filters with several values, by their name in the address: the parameters of the service. */
const SEVERAL = { departmentId: 'departmentIds', bandId: 'bandIds', role: 'roles', kind: 'workerType' } as const;

/** Filters by one person or directory, whose id is in the address. */
const EXACT = ['managerId', 'substituteId', 'directoryId'] as const;

/** Returns the filters and the order of the list of people, from the address. */
export function usePeopleFilters() {
  const { value } = useAddressState();
  const sort = SORTS.find((known) => known === value('sort'));
  const shown = SHOWN_NAMES.find((name) => value(name) === String(SHOWN[name]));
  const several = Object.entries(SEVERAL).map(([name, parameter]) => [parameter, value(name)] as const);
  const filters: Omit<Query<'/api/users/list'>, 'companyId'> = {
    ...Object.fromEntries(
      [...several, ...EXACT.map((name) => [name, value(name)])].filter(([, given]) => given !== ''),
    ),
    ...(shown === undefined ? {} : { [shown]: SHOWN[shown] }),
    ...(sort === undefined ? {} : { sort }),
    ...(value('search') === '' ? {} : { broad: true }),
  };
  return filters;
}

/**
 * The controls of {@link usePeopleFilters}.
 *
 * @param companyId undefined if its departments and bands cannot be listed
 */
export function PeopleFilters({ companyId, own }: { companyId: string | undefined; own: OwnFields }) {
  const { value, change } = useAddressState();
  const departments = choicesOf(useDepartments(companyId));
  const bands = choicesOf(useBands(companyId));
  const several = (name: keyof typeof SEVERAL, label: string, data: Choice[]) => {
    const chosen = value(name).split(',');
    const known = data.map((one) => one.value).filter((one) => chosen.includes(one));
    return (
      <MultiSelect
        w="14rem"
        label={label}
        placeholder={known.length === 0 ? t('any', { context: 'filter' }) : ''}
        data={data}
        value={known}
        onChange={(values) => change({ [name]: values.join(',') })}
        searchable
        hidePickedOptions
      />
    );
  };
  const isSearched = value('search') !== '';
  return (
    <Filters>
      {companyId && several('departmentId', t('Department'), departments)}
      {companyId && several('bandId', t('Band'), bands)}
      {several('role', t('Role'), ROLE_CHOICES)}
      {several('kind', t('Kind of person'), choicesOf(WORKER_TYPE_NAMES))}
      {companyId && <PersonFilter {...{ name: 'managerId', label: t('Manager', { context: 'field' }), companyId }} />}
      {companyId && <PersonFilter {...{ name: 'substituteId', label: t('Substitute'), companyId }} />}
      <NativeSelect
        w="12rem"
        label={t('Show')}
        data={choicesOf(SHOWN_LABELS)}
        value={SHOWN_NAMES.find((name) => value(name) === String(SHOWN[name])) ?? 'all'}
        onChange={({ currentTarget }) =>
          change(
            Object.fromEntries(
              SHOWN_NAMES.map((name) => [name, name === currentTarget.value ? String(SHOWN[name]) : '']),
            ),
          )
        }
      />
      <ChoiceFilter
        {...{ w: '12rem', name: 'sort', label: t('Sort by') }}
        every={isSearched ? t('Best match') : t('Name, A to Z')}
        choices={isSearched ? SORT_LABELS : OTHER_SORTS}
      />
      <OwnFilters own={own} />
      <Views table="people" />
    </Filters>
  );
}
