import { Checkbox, Paper, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount, formatMoney } from '../format.ts';
import classes from './data-table.module.css';

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
  const show = (amount: string | null) => (amount === null ? absent : formatMoney(amount));
  return { name, isFigure: true, show: (row) => show(of(row)), text: (row) => of(row) ?? '' };
}

/** Returns a column of counts. */
export function counts<Row>(name: string, of: (row: Row) => number): Column<Row> {
  return { name, isFigure: true, show: (row) => formatCount(of(row)), text: (row) => String(of(row)) };
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Whether the rows are those of the previous request. */
  isStale?: boolean;
  ticks?: Ticks<Row> | undefined;
}

/**
 * A table that scrolls when it is wider than its container; on a narrow screen each row becomes a few lines. The ARIA
 * roles are explicit, as browsers drop the implied ones when the layout is not a table's.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, isStale = false, ticks }: DataTableProps<Row>) {
  const shown = columns.flatMap((column) => (column.show ? [{ ...column, show: column.show }] : []));
  return (
    <Paper withBorder className={classes.frame} data-stale={isStale || undefined}>
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
              {shown.map(({ name, isFigure }) => (
                <Table.Th key={name} role="columnheader" scope="col" data-figure={isFigure}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Table.Tr key={keyOf(row)} role="row">
                {ticks && (
                  <Table.Td role="cell" data-tick>
                    <Checkbox
                      aria-label={ticks.label(row)}
                      checked={ticks.isTicked(row)}
                      onChange={(event) => ticks.tick([row], event.currentTarget.checked)}
                    />
                  </Table.Td>
                )}
                {shown.map(({ name, isFigure, isClear, isWide, show }, at) => (
                  <Table.Td
                    key={name}
                    role="cell"
                    data-first={at === 0 || undefined}
                    data-figure={isFigure}
                    data-label={name}
                    data-clear={isClear}
                    data-wide={isWide}
                  >
                    <div className={classes.cell}>{show(row)}</div>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
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
