import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

const PAUSE = 250;

/** The state of a list, which stands in the address: it can be kept, sent and gone back to. */
export interface ListState {
  /** What is typed; it is searched for after a pause. */
  typed: string;
  type: (text: string) => void;
  search: string;
  page: number;
  limit: number;
  /** The value of another parameter, empty where it is absent. */
  value: (name: string) => string;
  /** Changes parameters, and goes back to the first page unless a page is among them. An empty value takes one out. */
  change: (values: Readonly<Record<string, string>>) => void;
}

export function useListState(defaultLimit: number): ListState {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const [typed, type] = useState(search);
  const [paused] = useDebouncedValue(typed, PAUSE);

  const change: ListState['change'] = (values) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ page: '', ...values })) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: 'search' in values },
    );

  // What is typed goes into the address after a pause, and at no other moment.
  useEffect(() => {
    if (paused.trim() !== search) change({ search: paused.trim() });
  }, [paused]);
  // The address has changed by going back, forward or by a link.
  useEffect(() => {
    if (search !== paused.trim()) type(search);
  }, [search]);

  return {
    ...{ typed, type, search, change },
    page: wholeFrom(parameters.get('page'), 1),
    limit: wholeFrom(parameters.get('limit'), defaultLimit),
    value: (name) => parameters.get(name) ?? '',
  };
}

function wholeFrom(text: string | null, fallback: number): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : fallback;
}
