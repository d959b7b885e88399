import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  name: string;
  /** Figures stand at the end of their column. */
  isFigure?: boolean;
  show: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The rows are of what was asked for before. */
  isStale: boolean;
}

/** A table; on a narrow screen each row is a card. The roles are named, as a browser forgets them where the layout is another. */
export function DataTable<Row>({ label, columns, rows, keyOf, isStale }: DataTableProps<Row>) {
  return (
    <Paper withBorder className={classes.frame} data-stale={isStale || undefined}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a browser forgets the roles of a table that is laid out as something else */}
      <table className={classes.table} role="table" aria-label={label} aria-busy={isStale}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isFigure }) => (
              <th key={name} role="columnheader" scope="col" data-figure={isFigure}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, isFigure, show }) => (
                <td key={name} role="cell" data-figure={isFigure} data-label={name}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </Paper>
  );
}
