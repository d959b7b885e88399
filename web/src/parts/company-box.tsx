import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { companyQuery } from '../session/use-company.ts';
import { pageTexts } from '../texts-pages.ts';

interface CompanyBoxProps {
  label: string;
  placeholder: string;
  /** The id of the chosen company; empty if none is. */
  companyId: string;
  choose: (id: string) => void;
}

/** A combobox that finds a company as the user types, for staff of the platform. */
export function CompanyBox({ label, placeholder, companyId, choose }: CompanyBoxProps) {
  const { client, userId } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const query = { limit: 20, page: 1, ...(search.trim() === '' ? {} : { search: search.trim() }) };
  const found = useQuery({
    queryKey: ownKey(userId, 'companies', query),
    queryFn: ({ signal }) => client.get('/api/companies/list', query, signal),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  const chosen = useQuery({ ...companyQuery(client, userId, companyId), enabled: companyId !== '' });
  const companies = [...(chosen.data ? [chosen.data.data] : []), ...(found.data?.data ?? [])];
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[...names].map(([value, text]) => ({ value, label: text }))}
      // The service filters, by the GSTIN as well.
      filter={({ options }) => options}
      value={companyId === '' ? null : companyId}
      onChange={(id) => choose(id ?? '')}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      nothingFoundMessage={pageTexts.palette.nothing}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': pageTexts.form.any }}
      flex="1 1 12rem"
    />
  );
}
