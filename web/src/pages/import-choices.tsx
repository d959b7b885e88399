import {
  Alert,
  Button,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Title,
} from '@mantine/core';
import {
  doubledFields,
  IMPORT_FIELDS,
  isFullName,
  isUnclearRole,
  plainName,
  type Target,
} from '../../../src/import/tables/columns.ts';
import { ungarbled } from '../../../src/import/tables/csv-text.ts';
import {
  doubtfulNames,
  formatOf,
  garbledText,
  hiddenLines,
  type ImportDraft,
  noteLines,
  obstacleOf,
  openTexts,
  withHeader,
  withHiddenLines,
  withoutGarbled,
  withoutLine,
} from '../../../src/import/tables/draft.ts';
import { type Decimal, readDate, readValue, type ValueFormat } from '../../../src/import/tables/values.ts';
import type { OwnField } from '../api/types.ts';
import { formatCount, formatDate, type Money } from '../format.ts';
import { columnLabel, LINE_FAULTS } from '../import/labels.ts';
import { rememberTarget, targetsFor } from '../import/remembered-targets.ts';
import { ownLabel } from '../labels.ts';
import { useMoney } from '../session/money.tsx';
import { t } from '../translate.ts';

interface ImportChoicesProps {
  /** Fields of one's own that the user may write. */
  own: readonly OwnField[];
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
}

const EXAMPLES = 3;
/** Lines of which one may have the names of the columns, and lines that are listed. */
const [HEADER_LINES, MAX_LINES] = [15, 20];
/** Maximum characters of a column's examples. */
const SHOWN = 60;

const TARGETS: readonly { value: Target; label: string }[] = [
  { value: '', label: t('Leave out') },
  ...IMPORT_FIELDS.map((value) => ({ value, label: columnLabel(value) })),
  { value: 'fullName', label: t('Full name, to be split') },
];

/** The choices about a table: the targets of its columns, and the formats of its dates and amounts. */
export function ImportChoices({ own, draft, change }: ImportChoicesProps) {
  const { header, targets } = draft;
  const offered = [
    ...TARGETS,
    ...own.map((field) => ({ value: `fields.${field.key}` as const, label: ownLabel(field) })),
  ];
  const send = (column: number, target: Target) => {
    rememberTarget(header.cells[column] ?? '', target);
    change({ ...draft, targets: targets.map((old, at) => (at === column ? target : old)) });
  };
  const obstacle = obstacleOf(draft);
  const fullName = header.cells.findIndex((name, column) => isFullName(name) && targets[column] === '');
  const [hidden, doubtful] = [hiddenLines(draft), doubtfulNames(draft)];
  const [notes, garbled] = [noteLines(draft), garbledText(draft)];
  const known = targetsFor(own);
  const unclear = header.cells.findIndex((name) => isUnclearRole(name) && known[plainName(name)] === undefined);
  const canSplit = fullName >= 0 && !targets.some((target) => target === 'firstName' || target === 'lastName');
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('How it is read')}
      </Title>
      {header.fault && (
        <Alert color="red">{`${t('The names of the columns cannot be read.')} ${LINE_FAULTS[header.fault]}`}</Alert>
      )}
      {obstacle === 'doubled' && (
        <Alert color="red">
          {t('More than one column goes to {names}. Leave out all but one.', {
            names: doubledFields(targets)
              .map((field) => columnLabel(field, own))
              .join(', '),
          })}
        </Alert>
      )}
      {obstacle === 'nobody' && (
        <Alert color="red">
          {t('Choose the column with the e-mail address or the employee number: it tells who is who.')}
        </Alert>
      )}
      <NativeSelect
        label={t('Names of the columns')}
        data={[
          { value: '', label: t('The file has none') },
          ...draft.table.slice(0, HEADER_LINES).map(({ line, cells }, index) => ({
            value: String(index),
            label: t('Line {line}: {cells}', {
              line: formatCount(line),
              cells: shortened(cells.filter(Boolean).join(' · ')),
            }),
          })),
        ]}
        value={header.line === 0 ? '' : String(draft.table.findIndex(({ line }) => line === header.line))}
        onChange={({ currentTarget: { value } }) =>
          change(withHeader(draft, value === '' ? undefined : Number(value), known))
        }
        maw="40rem"
      />
      {hidden.length > 0 && (
        <Note
          text={t(
            '{count, plural, one {# line is hidden in the workbook, for instance by a filter. It is left out.} other {# lines are hidden in the workbook, for instance by a filter. They are left out.}}',
            {
              count: hidden.length,
            },
          )}
          actions={[[t('Import them too'), () => change(withHiddenLines(draft))]]}
        />
      )}
      {unclear >= 0 && (
        <Note
          text={t('Does “{column}” mean the job, or the rights here?', { column: header.cells[unclear] ?? '' })}
          actions={[
            [t('The job: leave it out'), () => send(unclear, '')],
            [t('The rights here'), () => send(unclear, 'roles')],
          ]}
        />
      )}
      {doubtful.length > 0 && (
        <Alert role="note">
          {t('Check the names that were split in these lines: {lines}', {
            lines: doubtful.slice(0, MAX_LINES).map(formatCount).join(', '),
          })}
        </Alert>
      )}
      {notes.length > 0 && (
        <Note
          text={t('These lines look like labels or notes: {lines}', {
            lines: notes.slice(0, MAX_LINES).map(formatCount).join(', '),
          })}
          actions={[[t('Leave them out'), () => change(notes.reduce(withoutLine, draft))]]}
        />
      )}
      {garbled !== undefined && (
        <Note
          text={t('“{text}” was read in a wrong encoding: it is “{right}”.', {
            text: garbled,
            right: ungarbled(garbled) ?? '',
          })}
          actions={[[t('Put it right'), () => change(withoutGarbled(draft))]]}
        />
      )}
      {canSplit && (
        <Note
          text={t('“{column}” has whole names.', { column: header.cells[fullName] ?? '' })}
          actions={[[t('Split into first and last name'), () => send(fullName, 'fullName')]]}
        />
      )}
      {targets.length > 0 && (
        <Fieldset legend={t('Columns of the file')}>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            {header.cells.map((name, column) => (
              <NativeSelect
                key={column}
                label={name === '' ? t('Column {number}', { number: column + 1 }) : name}
                description={examplesOf(draft, column)}
                data={offered}
                value={targets[column] ?? ''}
                onChange={(event) =>
                  send(column, offered.find(({ value }) => value === event.currentTarget.value)?.value ?? '')
                }
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      )}
      <Formats draft={draft} change={change} />
    </Stack>
  );
}

interface NoteProps {
  text: string;
  actions: readonly (readonly [label: string, run: () => void])[];
}

function Note({ text, actions }: NoteProps) {
  return (
    <Alert role="note">
      <Group>
        {text}
        {actions.map(([label, run]) => (
          <Button key={label} size="xs" variant="default" onClick={run}>
            {label}
          </Button>
        ))}
      </Group>
    </Alert>
  );
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function examplesOf({ lines }: ImportDraft, column: number): string {
  const values = new Set<string>();
  for (const { cells } of lines) {
    if (values.size === EXAMPLES) break;
    if (cells[column]) values.add(cells[column]);
  }
  const text = [...values].join(' · ');
  return shortened(text) || t('empty');
}

/** The formats that the values of the file leave open. */
function Formats({ draft, change }: Omit<ImportChoicesProps, 'own'>) {
  const money = useMoney();
  const { dates, serials, amounts, eras, years } = openTexts(draft);
  const format = formatOf(draft);
  if (dates.length + serials.length + amounts.length + eras.length + years.length === 0) return null;
  return (
    <Group align="flex-start">
      {dates.length > 0 && (
        <NativeSelect
          label={t('Dates')}
          description={dateExamples(dates, format)}
          data={[
            ...(format.dates.order ? [] : [{ value: '', label: t('Please choose') }]),
            { value: 'day-first', label: t('Day first: 31/12/1990') },
            { value: 'month-first', label: t('Month first: 12/31/1990') },
          ]}
          value={format.dates.order ?? ''}
          error={format.dates.order === undefined}
          onChange={({ currentTarget: { value } }) =>
            change({ ...draft, order: value === 'month-first' ? value : 'day-first' })
          }
        />
      )}
      {serials.length > 0 && (
        <Switch
          label={t('Numbers are dates of Excel')}
          description={dateExamples(serials, { ...format, dates: { ...format.dates, serials: true } })}
          checked={draft.serials}
          onChange={(event) => change({ ...draft, serials: event.currentTarget.checked })}
          mt={28}
        />
      )}
      {eras.length > 0 && (
        <NativeSelect
          label={t('Years')}
          description={eras.slice(0, EXAMPLES).join(' · ')}
          data={[
            ...(draft.calendar ? [] : [{ value: '', label: t('Please choose') }]),
            { value: 'buddhist', label: t('Buddhist: 2563 is 2020') },
            { value: 'gregorian', label: t('As they are') },
          ]}
          value={draft.calendar ?? ''}
          error={draft.calendar === undefined}
          onChange={({ currentTarget: { value } }) =>
            change({ ...draft, calendar: value === 'buddhist' ? value : 'gregorian' })
          }
        />
      )}
      {years.map(({ field, text }) => (
        <NumberInput
          key={field}
          label={t('Latest year of {column}', { column: columnLabel(field) })}
          description={text}
          value={draft.years?.[field] ?? ''}
          error={draft.years?.[field] === undefined}
          min={1999}
          max={2200}
          clampBehavior="blur"
          onChange={(year) => {
            if (Number(year) > 1998) change({ ...draft, years: { ...draft.years, [field]: Number(year) } });
          }}
        />
      ))}
      {amounts.length > 0 && (
        <NativeSelect
          label={t('Amounts')}
          description={amountExamples(amounts, format, money)}
          data={[
            ...(format.decimal ? [] : [{ value: '', label: t('Please choose') }]),
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ]}
          value={format.decimal ?? ''}
          error={format.decimal === undefined}
          onChange={({ currentTarget: { value } }) => change({ ...draft, decimal: value as Decimal })}
        />
      )}
    </Group>
  );
}

/** Returns the first texts, each with what it is read as; undefined: it is not. */
function examples(texts: readonly string[], read: (text: string) => string | undefined): string {
  const shown = texts.slice(0, EXAMPLES).map((text) => `${text} → ${read(text) ?? '?'}`);
  return shown.join(' · ');
}

function dateExamples(texts: readonly string[], { dates }: ValueFormat): string {
  return examples(texts, (text) => {
    const date = readDate(text, dates);
    return date && formatDate(date);
  });
}

function amountExamples(texts: readonly string[], format: ValueFormat, { formatMoney }: Money): string {
  return examples(texts, (text) => {
    const amount = readValue('approvalLimit', text, format);
    return typeof amount === 'string' ? formatMoney(amount) : undefined;
  });
}
