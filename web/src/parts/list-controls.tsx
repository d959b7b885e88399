import { ActionIcon, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import type { Pagination } from '../api/client.ts';
import { formatCount } from '../format.ts';
import { texts } from '../texts.ts';
import { Icon } from './icons.tsx';
import { Failed, Loading, Nothing } from './states.tsx';
import type { ListState, TypedState } from './use-list-state.ts';

const PAGE_SIZES = ['10', '25', '50', '100'];

/** A search as one types. */
export function SearchBox({
  search: { typed, type },
  hint,
  label = texts.lists.search,
}: {
  search: TypedState;
  hint: string;
  label?: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  const clear = () => {
    type('');
    box.current?.focus();
  };
  return (
    <TextInput
      type="search"
      ref={box}
      label={label}
      placeholder={hint}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        typed !== '' && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.lists.clear} onClick={clear}>
            <Icon name="clear" size={14} />
          </ActionIcon>
        )
      }
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      flex="1 1 16rem"
    />
  );
}

interface ListedProps<Item> {
  list: UseQueryResult<{ data: Item[]; pagination: Pagination }>;
  state: ListState;
  /** Not everything is asked for: there may be more than what matches. */
  isFiltered: boolean;
  show: (items: readonly Item[], isStale: boolean) => ReactNode;
}

/** A page of a list in each of its states: on its way, failed, empty, there. */
export function Listed<Item>({ list, state, isFiltered, show }: ListedProps<Item>) {
  if (list.isError) return <Failed error={list.error} again={() => void list.refetch()} />;
  if (list.isPending) return <Loading rows={8} />;
  const { data: items, pagination } = list.data;
  return (
    <>
      {items.length > 0 ? show(items, list.isPlaceholderData) : <Empty {...{ pagination, isFiltered }} />}
      {pagination.totalItems > 0 && <Pages state={state} pagination={pagination} />}
    </>
  );
}

function Empty({ pagination, isFiltered }: { pagination: Pagination; isFiltered: boolean }) {
  if (pagination.totalItems > 0) return <Nothing title={texts.states.pastEnd} hint={texts.states.pastEndHint} />;
  if (isFiltered) return <Nothing title={texts.states.nothing} hint={texts.states.nothingHint} />;
  return <Nothing title={texts.states.none} />;
}

/** Which part of the list is shown, how much of it at once, and the way to the rest. */
function Pages({ state, pagination }: { state: ListState; pagination: Pagination }) {
  const { totalItems, totalPages, currentPage, pageSize } = pagination;
  const first = (currentPage - 1) * pageSize + 1;
  const last = Math.min(currentPage * pageSize, totalItems);
  const sizes = PAGE_SIZES.includes(String(state.limit)) ? PAGE_SIZES : [...PAGE_SIZES, String(state.limit)];
  const go = (page: number) => state.change({ page: page === 1 ? '' : String(page) });
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text size="sm" role="status" data-testid="count">
        {first > totalItems
          ? texts.lists.count('0', '0', formatCount(totalItems))
          : texts.lists.count(formatCount(first), formatCount(last), formatCount(totalItems))}
      </Text>
      <Group gap="sm">
        <NativeSelect
          size="xs"
          aria-label={texts.lists.pageSize}
          data={sizes}
          value={String(state.limit)}
          onChange={(event) => state.change({ limit: event.currentTarget.value })}
        />
        <ActionIcon
          variant="default"
          aria-label={texts.lists.previous}
          disabled={currentPage <= 1}
          onClick={() => go(Math.min(currentPage - 1, Math.max(totalPages, 1)))}
        >
          <Icon name="previous" size={16} />
        </ActionIcon>
        <Text size="sm">{texts.lists.page(formatCount(currentPage), formatCount(totalPages))}</Text>
        <ActionIcon
          variant="default"
          aria-label={texts.lists.next}
          disabled={!pagination.hasNextPage}
          onClick={() => go(currentPage + 1)}
        >
          <Icon name="next" size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
