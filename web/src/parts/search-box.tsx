import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useGet } from '../session/queries.ts';
import { t } from '../translate.ts';
import { readAddresses } from './addresses.ts';

/** Returns what is typed into a {@link SearchBox}, with a delay, and whether its list was opened, so that something is to be found. */
function useSearch() {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, 200);
  return {
    search: [...(readAddresses(settled)?.keys() ?? [settled.trim()])].join(' ') || undefined,
    isOpen,
    handlers: { onSearchChange: setTyped, onDropdownOpen: () => setOpen(true) },
  };
}

interface SearchBoxProps {
  label: string;
  placeholder: string;
  nothingFound: string;
  width: string;
  search: ReturnType<typeof useSearch>;
  /** Names of what can be chosen, by id. */
  names: ReadonlyMap<string, string>;
  /** The chosen id; empty if none is. */
  id: string;
  choose: (id: string) => void;
  error?: string | undefined;
  description?: string | undefined;
}

/** A combobox whose choices the service finds as the user types. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, nothingFound, width, search, names, id, choose, error, description } = props;
  return (
    <Select
      label={label}
      placeholder={placeholder}
      error={error}
      description={description}
      data={[...names].map(([value, text]) => ({ value, label: text }))}
      // The service filters, by what the names do not show as well (e-mail address, GSTIN).
      filter={({ options }) => options}
      value={id === '' ? null : id}
      onChange={(chosen) => choose(chosen ?? '')}
      {...search.handlers}
      nothingFoundMessage={nothingFound}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('any') }}
      flex={`1 1 ${width}`}
    />
  );
}

interface CompanyBoxProps {
  label: string;
  placeholder: string;
  /** The id of the chosen company; empty if none is. */
  companyId: string;
  choose: (id: string) => void;
}

/** A combobox that finds a company as the user types, for staff of the platform. */
export function CompanyBox({ companyId, ...props }: CompanyBoxProps) {
  const typed = useSearch();
  const query = { limit: 20, ...(typed.search && { search: typed.search }) };
  const found = useGet('/api/companies/list', typed.isOpen ? query : undefined, { keepsPrevious: true });
  const chosen = useGet('/api/companies/get', companyId !== '' ? { id: companyId } : undefined);
  const companies = [...(chosen.data ? [chosen.data.data] : []), ...(found.data?.data ?? [])];
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  return (
    <SearchBox {...props} nothingFound={t('Nothing found')} width="12rem" search={typed} names={names} id={companyId} />
  );
}

interface PersonBoxProps {
  /** Empty: people of all companies, for Super Admins. */
  companyId: string;
  label: string;
  placeholder: string;
  /** The id of the chosen person; empty if none is. */
  userId: string;
  /** The name of the chosen person, if known; otherwise it is requested. */
  name?: string | undefined;
  choose: (id: string) => void;
  error?: string | undefined;
  description?: string | undefined;
}

/** A combobox that finds a person as the user types. */
export function PersonBox({ companyId, userId, name, ...props }: PersonBoxProps) {
  const typed = useSearch();
  const { search, isOpen } = typed;
  const within = { companyId, limit: 20, ...(search && { search, broad: true }) };
  const keeps = { keepsPrevious: true };
  const inCompany = useGet('/api/users/list', isOpen && companyId !== '' ? within : undefined, keeps);
  const anywhere = isOpen && companyId === '' && search !== undefined ? { limit: 20, search } : undefined;
  const everywhere = useGet('/api/users/search', anywhere, keeps);
  const found = companyId === '' ? everywhere : inCompany;
  const chosen = useGet('/api/users/get', userId !== '' && name === undefined ? { id: userId } : undefined);
  const people = [...(chosen.data ? [chosen.data.data] : []), ...(found.data?.data ?? [])];
  const names = new Map(people.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  if (userId !== '' && name !== undefined) names.set(userId, name);
  return (
    <SearchBox
      {...props}
      nothingFound={t('Nobody of that name')}
      width="16rem"
      search={typed}
      names={names}
      id={userId}
    />
  );
}

interface PeopleBoxesProps extends Omit<PersonBoxProps, 'placeholder' | 'userId' | 'name' | 'choose'> {
  userIds: readonly string[];
  choose: (ids: string[]) => void;
}

/** A {@link PersonBox} for each of several people, and one for the next. */
export function PeopleBoxes({ userIds, choose, ...props }: PeopleBoxesProps) {
  return [...userIds, ''].map((userId, place) => (
    <PersonBox
      {...props}
      key={userId}
      placeholder={t('Search by name')}
      userId={userId}
      choose={(id) => choose([...new Set([...userIds.filter((_, one) => one !== place), id])].filter(Boolean))}
    />
  ));
}
