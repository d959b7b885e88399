import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { pageTexts } from '../texts.ts';

interface Search {
  /** What is searched for; undefined if nothing is typed. */
  readonly search: string | undefined;
  /** Whether the list was opened, so that something is to be found. */
  readonly isOpen: boolean;
  readonly handlers: { onSearchChange: (typed: string) => void; onDropdownOpen: () => void };
}

/** Returns what is typed into a {@link SearchBox}, with a delay. */
export function useSearch(): Search {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, 200);
  return {
    search: settled.trim() || undefined,
    isOpen,
    handlers: { onSearchChange: setTyped, onDropdownOpen: () => setOpen(true) },
  };
}

interface SearchBoxProps {
  label: string;
  placeholder: string;
  nothingFound: string;
  width: string;
  search: Search;
  /** Names of what can be chosen, by id. */
  names: ReadonlyMap<string, string>;
  /** The chosen id; empty if none is. */
  id: string;
  choose: (id: string) => void;
}

/** A combobox whose choices the service finds as the user types. */
export function SearchBox({ label, placeholder, nothingFound, width, search, names, id, choose }: SearchBoxProps) {
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[...names].map(([value, text]) => ({ value, label: text }))}
      // The service filters, by what the names do not show as well (e-mail address, GSTIN).
      filter={({ options }) => options}
      value={id === '' ? null : id}
      onChange={(chosen) => choose(chosen ?? '')}
      {...search.handlers}
      nothingFoundMessage={nothingFound}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': pageTexts.form.any }}
      flex={`1 1 ${width}`}
    />
  );
}
