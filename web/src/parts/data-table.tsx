import { Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  name: string;
  /** Figures stand at the end of their column. */
  isFigure?: boolean;
  show: (row: Row) => ReactNode;
  /** What stands in a file, where the column goes into one. */
  text?: (row: Row) => string;
}

/** A column shows the very text that goes into a file. */
export function plain<Row>(text: (row: Row) => string): Pick<Column<Row>, 'show' | 'text'> {
  return { show: (row) => <bdi>{text(row)}</bdi>, text };
}

/** The same for the column that names the row. */
export function named<Row>(text: (row: Row) => string): Pick<Column<Row>, 'show' | 'text'> {
  return {
    show: (row) => (
      <Text fw={600} component="span">
        <bdi>{text(row)}</bdi>
      </Text>
    ),
    text,
  };
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The rows are of what was asked for before. */
  isStale?: boolean;
}

/**
 * A table, which scrolls where it is wider than its place; on a narrow screen each row is a card. The roles are named, as a browser
 * forgets them where the layout is another.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, isStale = false }: DataTableProps<Row>) {
  return (
    <Paper withBorder className={classes.frame} data-stale={isStale || undefined}>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="group" aria-label={label}>
        <Table className={classes.table ?? ''} role="table" aria-label={label} aria-busy={isStale} highlightOnHover>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ name, isFigure }) => (
                <Table.Th key={name} role="columnheader" scope="col" data-figure={isFigure}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Table.Tr key={keyOf(row)} role="row">
                {columns.map(({ name, isFigure, show }) => (
                  <Table.Td key={name} role="cell" data-figure={isFigure} data-label={name}>
                    {show(row)}
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
