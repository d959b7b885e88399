import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

const PAUSE = 250;
/** Rows on a page at most, as the service takes it. */
const MAX_LIMIT = 100;
/** Parameters that change what is asked of the list: it is shown from its first page then. */
const BEGINS_ANEW = [
  'search',
  'limit',
  'activeOnly',
  'inactiveOnly',
  'guests',
  'sort',
  'companyId',
  'departmentId',
  'bandId',
  'role',
  'userId',
  'actorId',
  'entity',
  'action',
  'from',
  'to',
];

/** The parameters of the page's address. */
export interface AddressState {
  /** The value of a parameter, empty where it is absent. */
  value: (name: string) => string;
  /** Changes parameters; an empty value takes one out. */
  change: (values: Readonly<Record<string, string>>, options?: { replace: boolean }) => void;
  /** Takes all parameters out but these. */
  clear: (kept: readonly string[]) => void;
}

export function useAddressState(): AddressState {
  const [parameters, setParameters] = useSearchParams();
  return {
    value: (name) => parameters.get(name) ?? '',
    clear: (kept) =>
      setParameters((before) => new URLSearchParams([...before].filter(([name]) => kept.includes(name)))),
    change: (values, options = { replace: false }) =>
      setParameters((before) => {
        const after = new URLSearchParams(before);
        if (BEGINS_ANEW.some((name) => name in values)) after.delete('page');
        for (const [name, value] of Object.entries(values)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      }, options),
  };
}

/** What is typed into a box and stands in the address as well, after a pause, to be kept, sent and gone back to. */
export interface TypedState {
  typed: string;
  type: (text: string) => void;
  /** What stands in the address. */
  settled: string;
  /** Empties the box of a page that is about to be left, and puts what is typed into the address to be gone back to. */
  leave: () => void;
}

export function useTyped(name: string): TypedState {
  const { value, change } = useAddressState();
  const settled = value(name);
  const [typed, setTyped] = useState(settled);
  const settle = (text: string) => {
    if (text.trim() !== settled) change({ [name]: text.trim() }, { replace: true });
  };
  // By the timer itself: an effect of React's may come after the click that has left the page.
  const settleLater = useDebouncedCallback(settle, PAUSE);

  // The address has changed by going back, forward or by a link.
  useEffect(() => {
    if (settled === typed.trim()) return;
    settleLater.cancel();
    setTyped(settled);
  }, [settled]);

  const type = (text: string) => {
    setTyped(text);
    settleLater(text);
  };
  const leave = () => {
    settleLater.cancel();
    settle(typed);
    setTyped('');
  };
  return { typed, type, settled, leave };
}

/** The state of a list, which stands in the address. */
export interface ListState extends AddressState {
  /** As it stands in the address. */
  search: string;
  page: number;
  limit: number;
}

export function useListState(defaultLimit: number): ListState {
  const address = useAddressState();
  return {
    ...address,
    search: address.value('search'),
    page: wholeFrom(address.value('page'), 1),
    limit: Math.min(wholeFrom(address.value('limit'), defaultLimit), MAX_LIMIT),
  };
}

function wholeFrom(text: string, fallback: number): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : fallback;
}
