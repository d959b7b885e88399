import { ActionIcon, Button, Group, Loader, NativeSelect, Pagination, Text, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { Pagination as Paging } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { t } from '../translate.ts';
import { readAddresses } from './addresses.ts';
import { csvOf } from './csv.ts';
import type { Column } from './data-table.tsx';
import { Icon } from './icons.tsx';
import classes from './list-controls.module.css';
import { ActButton } from './notices.tsx';
import { Nothing, Pending } from './states.tsx';
import { type ListState, type TypedState, useTyped } from './use-list-state.ts';

const PAGE_SIZES = ['10', '25', '50', '100'];
/** Number of pages from which a box to enter one is shown. */
const JUMP_FROM = 7;

/** Maximum characters of a search, as in the service. */
const MAX_SEARCH = 256;

/** A search box that searches as the user types. */
export function SearchBox({
  search: { typed, type },
  hint,
  label = t('Search'),
}: {
  search: TypedState;
  hint: string;
  label?: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  const [cut, setCut] = useState<{ count: number; total: number }>();
  const change = (text: string) => {
    setCut(undefined);
    type(text);
  };
  const clear = () => {
    change('');
    box.current?.focus();
  };
  return (
    <TextInput
      type="search"
      ref={box}
      label={label}
      placeholder={hint}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onPaste={(event) => {
        // Addresses one a line: a box of one line would join them, and cut one of too many in two.
        const text = event.clipboardData.getData('text').trim();
        if (!/[\n<]/.test(text) && text.length <= MAX_SEARCH) return;
        event.preventDefault();
        const words = [...(readAddresses(text)?.keys() ?? text.split(/\s+/))];
        const [total, count] = [
          words.length,
          words.findIndex((_, at) => words.slice(0, at + 1).join(' ').length > MAX_SEARCH),
        ];
        change(words.slice(0, count < 0 ? total : count).join(' '));
        if (count >= 0) setCut({ count, total });
      }}
      error={
        cut &&
        t('This is too much for one search. Searched are the first {count} of {total} words or addresses.', {
          count: formatCount(cut.count),
          total: formatCount(cut.total),
        })
      }
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        typed !== '' && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('Clear the search')} onClick={clear}>
            <Icon name="clear" size={14} />
          </ActionIcon>
        )
      }
      maxLength={MAX_SEARCH}
      autoComplete="off"
      spellCheck={false}
      flex="1 1 16rem"
    />
  );
}

/** The search box of a list. It keeps the typed text in its own state, so that the rows do not render at each key. */
export function ListSearch({ hint }: { hint: string }) {
  return <SearchBox search={useTyped('search')} hint={hint} />;
}

export interface ListedProps<Item, Row> {
  list: UseQueryResult<{ data: Item[]; pagination: Paging }>;
  state: ListState;
  /** Whether filters apply: there may be more than what matches. */
  isFiltered: boolean;
  /** The whole list as a file, offered unless it is empty. */
  file?: ListFile<Row> | undefined;
  show: (items: readonly Item[], isStale: boolean) => ReactNode;
  /** What the list is for, shown while it is empty. */
  hint?: string | undefined;
}

/** A page of a list in all its states: loading, failed, empty, loaded. */
export function Listed<Item, Row = Item>({ list, state, isFiltered, file, show, hint }: ListedProps<Item, Row>) {
  if (list.isError || list.isPending) return <Pending of={list} rows={8} />;
  const { data: items, pagination } = list.data;
  return (
    <div className={classes.listed}>
      {list.isPlaceholderData && (
        <Group className={classes.old} gap="xs" role="status">
          <Loader size={14} />
          {t('Loading. The old rows are still shown.')}
        </Group>
      )}
      {items.length > 0 ? show(items, list.isPlaceholderData) : <Empty {...{ pagination, isFiltered, state, hint }} />}
      {pagination.totalItems > 0 && (
        <>
          <Pages state={state} pagination={pagination} />
          {file && (
            <Group justify="flex-end" mt="xs" data-screen-only>
              <DownloadButton {...file} />
            </Group>
          )}
        </>
      )}
    </div>
  );
}

/** Parameters of the address that do not filter a list. */
const NOT_FILTERS = ['companyId', 'limit', 'sort', 'amount', 'person'];

type EmptyProps = Pick<ListedProps<unknown, unknown>, 'state' | 'isFiltered' | 'hint'> & { pagination: Paging };

function Empty({ pagination, isFiltered, state, hint: use }: EmptyProps) {
  if (pagination.totalItems > 0)
    return (
      <Nothing
        title={t('The list ends before this page')}
        hint={t('It has become shorter, or the link asks for too much. Go back a page.')}
      />
    );
  if (isFiltered) {
    const hint = state.search === '' ? {} : { hint: t('Try another spelling, or fewer words.') };
    return (
      <Nothing title={t('Nothing matches')} {...hint}>
        <Button variant="default" size="xs" mt="xs" onClick={() => state.clear(NOT_FILTERS)}>
          {t('Clear search and filters')}
        </Button>
      </Nothing>
    );
  }
  return <Nothing title={t('There is nothing here yet')} {...(use !== undefined && { hint: use })} />;
}

/** The pagination of a list: the rows shown, the page size, and links to the other pages. */
function Pages({ state, pagination }: { state: ListState; pagination: Paging }) {
  const { totalItems, totalPages, currentPage, pageSize } = pagination;
  const first = (currentPage - 1) * pageSize + 1;
  const last = Math.min(currentPage * pageSize, totalItems);
  const sizes = PAGE_SIZES.includes(String(state.limit)) ? PAGE_SIZES : [...PAGE_SIZES, String(state.limit)];
  const go = (page: number) => state.change({ page: page === 1 ? '' : String(page) });
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text size="sm" role="status" data-testid="count">
        {first > totalItems
          ? t('{from}–{to} of {total}', { from: '0', to: '0', total: formatCount(totalItems) })
          : t('{from}–{to} of {total}', {
              from: formatCount(first),
              to: formatCount(last),
              total: formatCount(totalItems),
            })}
      </Text>
      <Group gap="sm" data-screen-only>
        <NativeSelect
          size="xs"
          aria-label={t('Rows on a page')}
          data={sizes}
          value={String(state.limit)}
          onChange={(event) => state.change({ limit: event.currentTarget.value })}
        />
        {totalPages > JUMP_FROM && <PageBox last={totalPages} go={go} />}
        <Pagination
          size="sm"
          gap={4}
          // The requested page, even while the previous one is still on screen: each click counts.
          value={state.page}
          total={totalPages}
          siblings={1}
          boundaries={1}
          onChange={go}
          getControlProps={(control) => ({
            'aria-label': control === 'next' ? t('Next page') : t('Previous page'),
          })}
          getItemProps={(page) => ({
            'aria-label': t('Page {page} of {pages}', { page: formatCount(page), pages: formatCount(totalPages) }),
          })}
        />
      </Group>
    </Group>
  );
}

/** A box to enter a page number. */
function PageBox({ last, go }: { last: number; go: (page: number) => void }) {
  const jump = (event: KeyboardEvent<HTMLInputElement>) => {
    const page = Number(event.currentTarget.value);
    if (event.key !== 'Enter' || !Number.isInteger(page) || page < 1) return;
    go(Math.min(page, last));
    event.currentTarget.value = '';
  };
  return (
    <TextInput
      size="xs"
      w="6rem"
      inputMode="numeric"
      aria-label={t('Go to page')}
      placeholder={t('Go to page')}
      onKeyDown={jump}
      maxLength={7}
    />
  );
}

/** A list as a file. */
export interface ListFile<Row> {
  /** The file name without its extension. */
  name: string;
  columns: readonly Column<Row>[];
  load: () => Promise<readonly Row[]>;
}

/** A button that downloads all pages of a list as a CSV file. */
function DownloadButton<Row>({ name, columns, load }: ListFile<Row>) {
  const save = async () => {
    const written = columns.flatMap(({ name: column, text }) => (text ? [{ column, text }] : []));
    const rows = await load();
    const lines = [written.map(({ column }) => column), ...rows.map((row) => written.map(({ text }) => text(row)))];
    saveFile(`${name}.csv`, csvOf(lines));
  };
  return (
    <ActButton variant="subtle" size="xs" run={save}>
      {t('Download as CSV')}
    </ActButton>
  );
}

/** The filters of a list; on a narrow screen behind a button. */
export function Filters({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className={classes.toggle ?? ''}
        variant="default"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        data-screen-only
      >
        {t('Filters')}
      </Button>
      <Group className={classes.filters ?? ''} gap="sm" align="flex-end" data-open={isOpen}>
        {children}
      </Group>
    </>
  );
}

/** Downloads a text as a CSV file. */
export function saveFile(name: string, csv: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
