import { Group } from '@mantine/core';
import type { Person, Query } from '../api/types.ts';
import { ChoiceFilter, DayFilter } from '../parts/filters.tsx';
import { Filters } from '../parts/list-controls.tsx';
import { CompanyBox, PersonBox } from '../parts/search-box.tsx';
import { type AddressState, useAddressState } from '../parts/use-list-state.ts';
import { useSession } from '../session/session.tsx';
import { useCompanyNames } from '../session/use-company.ts';
import { corporateCompanies, hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { SUBJECT_LABELS } from './entity-pages.ts';
import { ACTIONS, dayAfter } from './history-sentences.ts';

const ACTOR_KINDS = {
  user: t('People'),
  key: t('API keys'),
  import: t('Imports'),
  command: t('The command line'),
};

const DAY = /^\d{4}-\d\d-\d\d$/;

function keysOf<Name extends string>(names: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(names) as Name[];
}

/** Returns the filters of the history from the address, as the service takes them; invalid values are ignored. */
export function filtersOf({ value }: Pick<AddressState, 'value'>): Query<'/api/audit/list'> {
  const entity = keysOf(SUBJECT_LABELS).find((known) => known === value('entity'));
  const action = keysOf(ACTIONS).find((known) => known === value('action'));
  const [from, to] = [value('from'), value('to')];
  const given = {
    entity,
    action,
    userId: value('userId'),
    companyId: value('companyId'),
    actorId: value('actorId'),
    actorKind: keysOf(ACTOR_KINDS).find((known) => known === value('actorKind')),
    requestId: value('requestId'),
    entityId: entity && value('entityId'),
    from: DAY.test(from) ? new Date(`${from}T00:00`).toISOString() : '',
    to: DAY.test(to) ? new Date(`${dayAfter(to)}T00:00`).toISOString() : '',
  };
  return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined && text !== ''));
}

interface HistoryFiltersProps {
  profile: Person;
  /** The name of the actor that is filtered by, if the changes tell it. */
  actorName: string | undefined;
}

/** The filters of the history: who, what, when and where. */
export function HistoryFilters({ profile, actorName }: HistoryFiltersProps) {
  const { companyId } = useSession();
  const { value, change } = useAddressState();
  const companies = useCompanyNames(profile);
  const asked = value('companyId') || companyId || corporateCompanies(profile)[0];
  return (
    <Group mb="md">
      <Filters>
        {(isSuperAdmin(profile) || (asked !== undefined && corporateCompanies(profile).length > 0)) && (
          <PersonBox
            companyId={asked ?? ''}
            label={t('Changed by')}
            placeholder={t('Anybody, or search by name')}
            userId={value('actorId')}
            name={actorName}
            choose={(id) => change({ actorId: id })}
          />
        )}
        <ChoiceFilter name="actorKind" label={t('Through')} every={t('Anything')} choices={ACTOR_KINDS} />
        <ChoiceFilter
          {...{ name: 'entity', label: t('What changed'), every: t('Everything'), choices: SUBJECT_LABELS }}
          without={{ entityId: '' }}
        />
        <ChoiceFilter name="action" label={t('How')} every={t('In any way')} choices={ACTIONS} />
        <DayFilter name="from" label={t('From')} />
        <DayFilter name="to" label={t('To')} />
        {hasPlatformAccess(profile) && (
          <CompanyBox
            label={t('Company')}
            placeholder={t('All companies')}
            companyId={value('companyId')}
            choose={(id) => change({ companyId: id })}
          />
        )}
        {!hasPlatformAccess(profile) && companies.size > 1 && (
          <ChoiceFilter
            {...{ name: 'companyId', label: t('Company'), every: t('All companies') }}
            choices={Object.fromEntries(companies)}
          />
        )}
      </Filters>
    </Group>
  );
}
