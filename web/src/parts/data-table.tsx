import { Checkbox, Group, Paper, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { formatCount } from '../format.ts';
import { Amount } from '../session/money.tsx';
import { keep, kept } from '../storage.ts';
import { t } from '../translate.ts';
import { hasModifier } from './arrow-keys.ts';
import classes from './data-table.module.css';
import { areLettersOn, letterOf, takesText } from './keys.ts';
import { useAddressState } from './use-list-state.ts';

export interface Column<Row> {
  name: string;
  /** Figures are aligned to the end of their column. */
  isFigure?: boolean;
  /** Absent: the column is only in files. */
  show?: (row: Row) => ReactNode;
  /** The text in files; absent: the column is not in files. */
  text?: (row: Row) => string;
  /** On a narrow screen its values need no label. */
  isClear?: boolean;
  /** Long texts use the width of the table. */
  isWide?: boolean;
  /** The list can be sorted by it: the value of the `sort` parameter in ascending order. */
  sort?: string;
  /** Shown on a wide screen alone. */
  isSecondary?: boolean;
  /** Not on paper. */
  isScreenOnly?: boolean;
  /** Hidden until it is chosen. */
  isOptional?: boolean;
}

/** Selectable rows. */
export interface Ticks<Row> {
  isTicked: (row: Row) => boolean;
  tick: (rows: readonly Row[], isTicked: boolean) => void;
  /** Returns the accessible name of a row. */
  label: (row: Row) => string;
  labelOfAll: string;
}

/** Returns a column that shows the same text as in a file. */
export function plain<Row>(text: (row: Row) => string): Pick<Column<Row>, 'show' | 'text'> {
  return { show: (row) => <bdi>{text(row)}</bdi>, text };
}

/** Returns a column of amounts, which files have as decimal texts. @param absent the text where there is no amount */
export function amounts<Row>(name: string, of: (row: Row) => string | null, absent = ''): Column<Row> {
  const show = (amount: string | null) => (amount === null ? absent : <Amount of={amount} />);
  return { name, isFigure: true, show: (row) => show(of(row)), text: (row) => of(row) ?? '' };
}

/** Returns a column of counts. */
export function counts<Row>(name: string, of: (row: Row) => number): Column<Row> {
  return { name, isFigure: true, show: (row) => formatCount(of(row)), text: (row) => String(of(row)) };
}

/** Returns a column of what can be done with a row. */
export function actions<Row>(name: string, show: (row: Row) => ReactNode): Column<Row> {
  return { name, show, isFigure: true, isClear: true, isScreenOnly: true };
}

/** A row that is open next to the table. */
export interface Beside {
  /** The key of the open row; empty: none is. */
  key: string;
  open: (key: string) => void;
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Returns the key of a row; absent: its id. */
  keyOf?: (row: Row) => string;
  /** Whether the rows are those of the previous request. */
  isStale?: boolean;
  ticks?: Ticks<Row> | undefined;
  /** The key under which the browser remembers the chosen columns; absent: none can be chosen. */
  name?: string;
  /** Returns the address of the form of a row. */
  edit?: (row: Row) => string;
  /** Rows open next to the table, instead of on their pages. */
  beside?: Beside | undefined;
}

const idOf = (row: unknown) => (row as { id: string }).id;

/**
 * A table that scrolls when it is wider than its container, and keeps its header in sight otherwise; on a narrow screen
 * each row becomes a few lines. The ARIA roles are explicit, as browsers drop the implied ones when the layout is not a
 * table's.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf = idOf, isStale = false, ticks, name, edit, beside } = props;
  const [hidden, setHidden] = useHidden(name, columns);
  const shown = useMemo(
    () => columns.filter((column) => column.show && !hidden.includes(column.name)),
    [columns, hidden],
  );
  const frame = useRef<HTMLDivElement>(null);
  const isFitting = useFits(frame);
  const latest = useRef(ticks);
  latest.current = ticks;
  const tick = useCallback((row: Row, isTicked: boolean) => latest.current?.tick([row], isTicked), []);
  const open = (at: number) => rows[at] && beside?.open(keyOf(rows[at]));
  const openIndex = beside ? rows.findIndex((row) => keyOf(row) === beside.key) : -1;
  useRowKeys(frame, openIndex, open, (at) => edit && rows[at] && edit(rows[at]));
  /** Opens the row of a followed link, unless it is for another tab. */
  const follow = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('[data-first] a');
    if (!beside || !link || hasModifier(event)) return;
    event.preventDefault();
    open([...event.currentTarget.children].findIndex((row) => row.contains(link)));
  };
  return (
    <>
      <Paper withBorder className={classes.frame} data-stale={isStale || undefined} data-fits={isFitting} ref={frame}>
        <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="group" aria-label={label}>
          <Table
            className={classes.table ?? ''}
            role="table"
            aria-label={label}
            aria-busy={isStale}
            data-ticks={ticks !== undefined}
            highlightOnHover
          >
            <Table.Thead role="rowgroup">
              <Table.Tr role="row">
                {ticks && <TickAll rows={rows} ticks={ticks} />}
                {shown.map((column) => (
                  <Head key={column.name} column={column} />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody role="rowgroup" onClickCapture={follow}>
              {rows.map((row, index) => (
                <TableRow
                  key={keyOf(row)}
                  row={row}
                  columns={shown as readonly Column<unknown>[]}
                  tickLabel={ticks?.label(row)}
                  isTicked={ticks?.isTicked(row) === true}
                  isOpen={index === openIndex}
                  tick={tick as (row: unknown, isTicked: boolean) => void}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      {name !== undefined && <ColumnChoice columns={columns} hidden={hidden} hide={setHidden} />}
    </>
  );
}

/** The head of a column; where the list can be sorted by it, a button that does. */
function Head<Row>({ column: { name, isFigure, isSecondary, isScreenOnly, sort } }: { column: Column<Row> }) {
  const { value, change } = useAddressState();
  const order = sort === undefined ? '' : value('sort');
  const direction = order === sort ? 'ascending' : order === `-${sort}` ? 'descending' : 'none';
  return (
    <Table.Th
      role="columnheader"
      scope="col"
      data-figure={isFigure}
      data-secondary={isSecondary}
      data-screen-only={isScreenOnly}
      aria-sort={sort === undefined ? undefined : direction}
    >
      {sort === undefined ? (
        name
      ) : (
        <>
          <span className={classes.unsorted}>{name}</span>
          <UnstyledButton
            className={classes.sort ?? ''}
            onClick={() => change({ sort: direction === 'ascending' ? `-${sort}` : sort })}
          >
            {name}
            <span aria-hidden>{{ ascending: ' ↑', descending: ' ↓', none: ' ↕' }[direction]}</span>
          </UnstyledButton>
        </>
      )}
    </Table.Th>
  );
}

interface TableRowProps {
  row: unknown;
  columns: readonly Column<unknown>[];
  /** Undefined: the row cannot be selected. */
  tickLabel: string | undefined;
  isTicked: boolean;
  isOpen: boolean;
  tick: (row: unknown, isTicked: boolean) => void;
}

/** Memoised, so that a tick renders its own row alone. */
const TableRow = memo(function TableRow({ row, columns, tickLabel, isTicked, isOpen, tick }: TableRowProps) {
  return (
    <Table.Tr role="row" aria-current={isOpen || undefined}>
      {tickLabel !== undefined && (
        <Table.Td role="cell" data-tick>
          {/* The whole of it can be pressed. */}
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in it, and has a name of its own */}
          <label className={classes.tick}>
            <Checkbox
              aria-label={tickLabel}
              checked={isTicked}
              onChange={(event) => tick(row, event.currentTarget.checked)}
            />
          </label>
        </Table.Td>
      )}
      {columns.map(({ name, isFigure, isClear, isWide, isSecondary, isScreenOnly, show }, at) => (
        <Table.Td
          key={name}
          role={at === 0 ? 'rowheader' : 'cell'}
          data-first={at === 0 || undefined}
          data-figure={isFigure}
          data-label={name}
          data-clear={isClear}
          data-wide={isWide}
          data-secondary={isSecondary}
          data-screen-only={isScreenOnly}
        >
          <div className={classes.cell}>{show?.(row)}</div>
        </Table.Td>
      ))}
    </Table.Tr>
  );
});

/** Returns whether the table is no wider than its frame: then it need not scroll, and its header can stay in sight. */
function useFits(frame: RefObject<HTMLDivElement | null>): boolean {
  const [isFitting, setFitting] = useState(false);
  useEffect(() => {
    const table = frame.current?.querySelector('table');
    if (!frame.current || !table) return;
    const observer = new ResizeObserver(() => setFitting(table.offsetWidth <= (frame.current?.clientWidth ?? 0)));
    observer.observe(frame.current);
    observer.observe(table);
    return () => observer.disconnect();
  }, [frame]);
  return isFitting;
}

/** The keys of a focused row, or of the person who is open next to it: j and k move from row to row, x selects a row, e opens its form. */
function useRowKeys(
  frame: RefObject<HTMLDivElement | null>,
  openIndex: number,
  open: (at: number) => void,
  edit: (at: number) => string | undefined,
): void {
  const [, navigate] = useLocation();
  useWindowEvent('keydown', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || hasModifier(event) || takesText(target) || !areLettersOn()) return;
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const focused = rows.findIndex((row) => row.contains(target));
    const present = focused < 0 && target.closest('[data-of-row]') ? openIndex : focused;
    if (present < 0) return;
    const step = (by: number) => {
      const next = Math.min(Math.max(present + by, 0), rows.length - 1);
      rows[next]?.querySelector<HTMLElement>('[data-first] a, a, button')?.focus();
      if (openIndex >= 0) open(next);
    };
    const acts: Readonly<Record<string, () => void>> = {
      j: () => step(1),
      k: () => step(-1),
      x: () => rows[present]?.querySelector<HTMLElement>('[data-tick] input')?.click(),
      e: () => void [edit(present)].map((href) => href && navigate(href)),
    };
    acts[letterOf(event)]?.();
  });
}

const COLUMNS_KEY = 'orgdesk.columns';

/** Returns the names of the hidden columns, which the browser remembers by the name of the table. */
function useHidden<Row>(name: string | undefined, columns: readonly Column<Row>[]) {
  const [hidden, setHidden] = useState<readonly string[]>(() => {
    const known = name === undefined ? undefined : kept('localStorage', COLUMNS_KEY)?.[name];
    const isValid = Array.isArray(known) && known.every((one) => typeof one === 'string');
    return isValid ? known : columns.filter(({ isOptional }) => isOptional).map((column) => column.name);
  });
  const hide = (names: readonly string[]) => {
    setHidden(names);
    if (name !== undefined) keep('localStorage', COLUMNS_KEY, { ...kept('localStorage', COLUMNS_KEY), [name]: names });
  };
  return [hidden, hide] as const;
}

interface ColumnChoiceProps<Row> {
  columns: readonly Column<Row>[];
  hidden: readonly string[];
  hide: (names: readonly string[]) => void;
}

/** The choice of the columns; the first one, which names the row, stays. */
function ColumnChoice<Row>({ columns, hidden, hide }: ColumnChoiceProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes.choice}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-screen-only
    >
      <summary>{t('Columns')}</summary>
      <Group gap="md" mt="xs">
        {(isOpen ? columns : [])
          .slice(1)
          .map(
            ({ name, show }) =>
              show && (
                <Checkbox
                  key={name}
                  label={name}
                  checked={!hidden.includes(name)}
                  onChange={(event) =>
                    hide(event.currentTarget.checked ? hidden.filter((one) => one !== name) : [...hidden, name])
                  }
                />
              ),
          )}
      </Group>
    </details>
  );
}

function TickAll<Row>({ rows, ticks }: { rows: readonly Row[]; ticks: Ticks<Row> }) {
  const ticked = rows.filter(ticks.isTicked).length;
  return (
    <Table.Th role="columnheader" scope="col" data-tick>
      <VisuallyHidden>{ticks.labelOfAll}</VisuallyHidden>
      <Checkbox
        aria-label={ticks.labelOfAll}
        checked={ticked > 0 && ticked === rows.length}
        indeterminate={ticked > 0 && ticked < rows.length}
        onChange={(event) => ticks.tick(rows, event.currentTarget.checked)}
      />
    </Table.Th>
  );
}
