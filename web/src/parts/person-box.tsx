import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { approvalTexts as words } from '../texts-company.ts';
import { pageTexts } from '../texts-pages.ts';

interface PersonBoxProps {
  companyId: string;
  label: string;
  placeholder: string;
  /** The id of the chosen person; empty if none is. */
  userId: string;
  /** The name of the chosen person, if known; otherwise it is requested. */
  name?: string | undefined;
  choose: (id: string) => void;
}

/** A combobox that finds a person of the company as the user types. */
export function PersonBox({ companyId, label, placeholder, userId, name, choose }: PersonBoxProps) {
  const { client, userId: caller } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const query = { companyId, limit: 20, ...(search.trim() === '' ? {} : { search: search.trim() }) };
  const found = useQuery({
    queryKey: ownKey(caller, 'people', query),
    queryFn: ({ signal }) => client.get('/api/users/list', query, signal),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  const chosen = useQuery({
    queryKey: ownKey(caller, 'person', userId),
    queryFn: ({ signal }) => client.read('/api/users/get', { id: userId }, signal),
    enabled: userId !== '' && name === undefined,
  });
  const people = [...(chosen.data ? [chosen.data.data] : []), ...(found.data?.data ?? [])];
  const names = new Map(people.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  if (userId !== '' && name !== undefined) names.set(userId, name);
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[...names].map(([value, text]) => ({ value, label: text }))}
      // The service filters, by the e-mail address as well.
      filter={({ options }) => options}
      value={userId === '' ? null : userId}
      onChange={(id) => choose(id ?? '')}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      nothingFoundMessage={words.nobodyFound}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': pageTexts.form.any }}
      flex="1 1 16rem"
    />
  );
}
