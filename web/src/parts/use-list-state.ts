import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

const PAUSE = 250;
/** Maximum page size of the service. */
const MAX_LIMIT = 100;
/** Parameters that leave the result of a list as it is: changing any other one returns to the first page. */
const KEEP_PAGE = ['page', 'amount', 'open', 'person'];

/** The query parameters of the page's address. */
export interface AddressState {
  /** Returns the value of a parameter; empty if it is absent. */
  value: (name: string) => string;
  /** Changes parameters; an empty value removes one. */
  change: (values: Readonly<Record<string, string>>, options?: { replace: boolean }) => void;
  /** Removes all parameters except these. */
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
        if (Object.keys(values).some((name) => !KEEP_PAGE.includes(name))) after.delete('page');
        for (const [name, value] of Object.entries(values)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      }, options),
  };
}

/** The text of a box, mirrored into the address after a pause, so that it is requested, shared and restored by Back. */
export interface TypedState {
  typed: string;
  type: (text: string) => void;
  /** The text in the address. */
  settled: string;
  /** To be called before the page is left: empties the box, and writes the typed text to the address for Back to restore. */
  leave: () => void;
}

export function useTyped(name: string): TypedState {
  const { value, change } = useAddressState();
  const settled = value(name);
  const [typed, setTyped] = useState(settled);
  const settle = (text: string) => {
    if (text.trim() !== settled) change({ [name]: text.trim() }, { replace: true });
  };
  // Debounced by the timer itself: an effect may run after the click that left the page.
  const settleLater = useDebouncedCallback(settle, PAUSE);

  // Follows changes of the address by Back, Forward or a link.
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

/** The state of a list, kept in the address. */
export interface ListState extends AddressState {
  /** The search text in the address. */
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
