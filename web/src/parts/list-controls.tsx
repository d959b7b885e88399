import { ActionIcon, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { Pagination } from '../api/client.ts';
import { formatCount } from '../format.ts';
import { texts } from '../texts.ts';
import { Icon } from './icons.tsx';
import type { ListState } from './use-list-state.ts';

export const PAGE_SIZES = ['10', '25', '50', '100'];

/** A search as one types. */
export function SearchBox({
  state,
  hint,
  label = texts.lists.search,
}: {
  state: Pick<ListState, 'typed' | 'type'>;
  hint: string;
  label?: string;
}) {
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={hint}
      value={state.typed}
      onChange={(event) => state.type(event.currentTarget.value)}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        state.typed !== '' && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.lists.clear} onClick={() => state.type('')}>
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

/** Which part of the list is shown, how much of it at once, and the way to the rest. */
export function Pages({ state, pagination }: { state: ListState; pagination: Pagination }) {
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
