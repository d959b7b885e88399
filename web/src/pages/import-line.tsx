import { Button, Table, Text } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import type { ImportField } from '../../../src/import/tables/columns.ts';
import type { ImportRow } from '../../../src/import/tables/draft.ts';
import type { OwnField } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { columnLabel, formatValue, LINE_FAULTS, LINE_STATES } from '../import/labels.ts';
import { columnOf, type FieldChange, type RowReport, type RowState } from '../import/outcome.ts';
import { problemText } from '../import/problem-text.ts';
import { isEnter } from '../parts/arrow-keys.ts';
import { useMoney } from '../session/money.tsx';
import { t } from '../translate.ts';
import classes from './import-table.module.css';

const VALUE_FAULTS = {
  date: t('This is not a date that can be read. Write it as 1990-12-31.'),
  'date-order': t('Choose above whether the day or the month comes first.'),
  'date-era': t('Choose above whether the year is of the Buddhist calendar.'),
  'date-years': t('Choose above which years two digits mean.'),
  number: t('A spreadsheet has rounded this number. Write all of its digits.'),
  amount: t('This is not an amount. Write it as 75000 or 75,000.50.'),
  decimal: t('Choose above how amounts are written.'),
  role: t('Roles are Corporate Admin, Manager and Employee.'),
  active: t('Write Active or Inactive.'),
  'client-type': t('Client types are Corporate, Agency and Direct.'),
};

interface ImportLineProps {
  /** The row index within the whole table, from 1, with the header row counted. */
  index: number;
  row: ImportRow;
  state: RowState | undefined;
  report: RowReport;
  fields: readonly ImportField[];
  /** Fields of one's own of people. */
  own: readonly OwnField[];
  /** Names of departments and bands, by id. */
  names: ReadonlyMap<string, string>;
  setCell: (field: ImportField, text: string) => void;
  /** Sets the cells of a column from this line down. */
  paste: (field: ImportField, texts: readonly string[]) => void;
  /** Offers, after a field of this line, to apply its correction to other lines. */
  repeat: { field: ImportField; count: number; run: () => void } | undefined;
  setLine: (text: string) => void;
  leaveOut: () => void;
}

/** Maximum characters of a line that can be corrected as a whole. */
const MAX_RAW = 2000;

/** A line of the table: its state, and its cells, all of which can be edited. */
export function ImportLine(props: ImportLineProps) {
  const { index, row, state, report, fields, own, names, repeat, setCell, paste, setLine, leaveOut } = props;
  const line = formatCount(row.line);
  const inCells = new Map<ImportField, string>();
  const ofLine: string[] = row.fault === undefined ? [] : [LINE_FAULTS[row.fault]];
  for (const problem of report.problems) {
    const field = problem.column === null ? undefined : columnOf(problem.column, fields);
    const text = problemText(problem, row);
    if (field === undefined) ofLine.push(text);
    else if (!inCells.has(field)) inCells.set(field, text);
  }
  for (const [field, fault] of Object.entries(row.faults)) inCells.set(field as ImportField, VALUE_FAULTS[fault]);
  const wrong = [...inCells.keys()].map((field) => columnLabel(field, own));
  const isUpdate = state === 'update';
  const changes = new Map(isUpdate ? report.fields.map((change) => [columnOf(change.field, fields), change]) : []);
  return (
    <Table.Tr role="row" aria-rowindex={index} data-line={row.line}>
      <Table.Td role="cell" data-label={t('Line')}>
        <div>
          <Text size="sm" fw={600} c={state === 'wrong' ? 'red' : ''}>
            {t('{line}.', { line })} {state ? LINE_STATES[state] : ''}
            {wrong.length > 0 && `: ${wrong.join(', ')}`}
          </Text>
          {ofLine.map((text) => (
            <Text key={text} size="sm" c="red">
              {text}
            </Text>
          ))}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={leaveOut}
            aria-label={t('Leave out line {line}', { line })}
          >
            {t('Leave out')}
          </Button>
        </div>
      </Table.Td>
      {row.fault !== undefined && row.fault !== 'blank' ? (
        <Table.Td role="cell" colSpan={fields.length} data-label={t('Text of the line')}>
          {row.raw.length <= MAX_RAW && (
            <Cell label={t('Text of line {line}', { line })} text={row.raw} set={setLine} />
          )}
        </Table.Td>
      ) : (
        fields.map((field) => (
          <Table.Td key={field} role="cell" data-label={columnLabel(field, own)}>
            <div>
              <Cell
                label={t('{column}, line {line}', { column: columnLabel(field, own), line })}
                text={row.texts[field] ?? ''}
                problem={inCells.get(field)}
                set={(text) => setCell(field, text)}
                paste={(texts) => paste(field, texts)}
              />
              <Change change={changes.get(field)} names={names} />
              {repeat?.field === field && repeat.count > 0 && (
                <Button size="compact-xs" variant="light" onClick={repeat.run}>
                  {t('Also in other lines ({count})', { count: formatCount(repeat.count) })}
                </Button>
              )}
            </div>
          </Table.Td>
        ))
      )}
    </Table.Tr>
  );
}

function Change({ change, names }: { change: FieldChange | undefined; names: ReadonlyMap<string, string> }) {
  const money = useMoney();
  if (change === undefined) return null;
  const { field, before, after } = change;
  return (
    <Text size="xs" className={classes.change}>
      <del>{formatValue(field, before, names, money)}</del> → <ins>{formatValue(field, after, names, money)}</ins>
    </Text>
  );
}

interface CellProps {
  label: string;
  text: string;
  problem?: string | undefined;
  set: (text: string) => void;
  /** Sets the cells of the column from this one down. */
  paste?: (texts: string[]) => void;
}

/** An editable cell, which commits its text on blur or Enter. */
function Cell({ label, text, problem, set, paste }: CellProps) {
  const id = useId();
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const settle = () => {
    if (typed.trim() !== text) set(typed.trim());
  };
  return (
    <>
      <input
        className={classes.cell}
        aria-label={label}
        aria-invalid={problem !== undefined}
        {...(problem === undefined ? {} : { 'aria-describedby': id })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={settle}
        onPaste={(event) => {
          const texts = event.clipboardData.getData('text').trim().split(/\r?\n/);
          if (!paste || texts.length < 2) return;
          event.preventDefault();
          paste(texts);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(text);
          if (!isEnter(event)) return;
          settle();
          const cell = event.currentTarget.closest('td');
          const next = cell?.closest('tr')?.nextElementSibling?.children[cell.cellIndex];
          next?.querySelector('input')?.focus();
        }}
      />
      {problem !== undefined && (
        <Text id={id} size="xs" c="red">
          {problem}
        </Text>
      )}
    </>
  );
}
