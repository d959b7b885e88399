import { Alert, Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Switch } from '@mantine/core';
import {
  doubledFields,
  IMPORT_FIELDS,
  isFullName,
  isUnclearRole,
  plainName,
  type Target,
} from '../../../src/import/tables/columns.ts';
import {
  doubtfulNames,
  formatOf,
  hiddenLines,
  type ImportDraft,
  obstacleOf,
  openTexts,
  withHeader,
  withHiddenLines,
} from '../../../src/import/tables/draft.ts';
import { type Decimal, readDate, readValue, type ValueFormat } from '../../../src/import/tables/values.ts';
import { formatCount, formatDate, type Money } from '../format.ts';
import { FIELD_LABELS } from '../import/labels.ts';
import { rememberedTargets, rememberTarget } from '../import/remembered-targets.ts';
import { importTexts as words } from '../lazy-texts.ts';
import { useMoney } from '../session/money.tsx';

interface ImportChoicesProps {
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
}

const EXAMPLES = 3;
/** Lines of which one may have the names of the columns, and lines that are listed. */
const [HEADER_LINES, MAX_LINES] = [15, 20];
/** Maximum characters of a column's examples. */
const SHOWN = 60;

const TARGETS: readonly { value: Target; label: string }[] = [
  { value: '', label: words.leftOut },
  ...IMPORT_FIELDS.map((value) => ({ value, label: FIELD_LABELS[value] })),
  { value: 'fullName', label: words.fullName },
];

/** The choices about a table: the targets of its columns, and the formats of its dates and amounts. */
export function ImportChoices({ draft, change }: ImportChoicesProps) {
  const { header, targets } = draft;
  const send = (column: number, target: Target) => {
    rememberTarget(header.cells[column] ?? '', target);
    change({ ...draft, targets: targets.map((old, at) => (at === column ? target : old)) });
  };
  const obstacle = obstacleOf(draft);
  const fullName = header.cells.findIndex((name, column) => isFullName(name) && targets[column] === '');
  const [hidden, doubtful] = [hiddenLines(draft), doubtfulNames(draft)];
  const known = rememberedTargets();
  const unclear = header.cells.findIndex((name) => isUnclearRole(name) && known[plainName(name)] === undefined);
  const canSplit = fullName >= 0 && !targets.some((target) => target === 'firstName' || target === 'lastName');
  return (
    <Stack>
      {header.fault && <Alert color="red">{`${words.header} ${words.faults[header.fault]}`}</Alert>}
      {obstacle === 'doubled' && (
        <Alert color="red">
          {words.doubled(
            doubledFields(targets)
              .map((field) => FIELD_LABELS[field])
              .join(', '),
          )}
        </Alert>
      )}
      {obstacle === 'nobody' && <Alert color="red">{words.needed}</Alert>}
      <NativeSelect
        label={words.headerLine}
        data={[
          { value: '', label: words.noHeader },
          ...draft.table.slice(0, HEADER_LINES).map(({ line, cells }, index) => ({
            value: String(index),
            label: words.inLine(formatCount(line), shortened(cells.filter(Boolean).join(' · '))),
          })),
        ]}
        value={header.line === 0 ? '' : String(draft.table.findIndex(({ line }) => line === header.line))}
        onChange={({ currentTarget: { value } }) =>
          change(withHeader(draft, value === '' ? undefined : Number(value), rememberedTargets()))
        }
        maw="40rem"
      />
      {hidden.length > 0 && (
        <Note
          text={words.hidden(formatCount(hidden.length))}
          actions={[[words.takeHidden, () => change(withHiddenLines(draft))]]}
        />
      )}
      {unclear >= 0 && (
        <Note
          text={words.unclearRole(header.cells[unclear] ?? '')}
          actions={[
            [words.isJob, () => send(unclear, '')],
            [words.isRight, () => send(unclear, 'roles')],
          ]}
        />
      )}
      {doubtful.length > 0 && (
        <Alert role="note">{words.doubtful(doubtful.slice(0, MAX_LINES).map(formatCount).join(', '))}</Alert>
      )}
      {canSplit && (
        <Note
          text={words.splittable(header.cells[fullName] ?? '')}
          actions={[[words.split, () => send(fullName, 'fullName')]]}
        />
      )}
      {targets.length > 0 && (
        <Fieldset legend={words.columns}>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            {header.cells.map((name, column) => (
              <NativeSelect
                key={column}
                label={name === '' ? words.column(column + 1) : name}
                description={examplesOf(draft, column)}
                data={[...TARGETS]}
                value={targets[column] ?? ''}
                onChange={(event) =>
                  send(column, TARGETS.find(({ value }) => value === event.currentTarget.value)?.value ?? '')
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
  return shortened(text) || words.nothing;
}

/** The formats that the values of the file leave open. */
function Formats({ draft, change }: ImportChoicesProps) {
  const money = useMoney();
  const { dates, serials, amounts } = openTexts(draft);
  const format = formatOf(draft);
  if (dates.length + serials.length + amounts.length === 0) return null;
  return (
    <Group align="flex-start">
      {dates.length > 0 && (
        <NativeSelect
          label={words.dates}
          description={dateExamples(dates, format)}
          data={[
            ...(format.dates.order ? [] : [{ value: '', label: words.choice }]),
            { value: 'day-first', label: words.dayFirst },
            { value: 'month-first', label: words.monthFirst },
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
          label={words.serials}
          description={dateExamples(serials, { ...format, dates: { ...format.dates, serials: true } })}
          checked={draft.serials}
          onChange={(event) => change({ ...draft, serials: event.currentTarget.checked })}
          mt={28}
        />
      )}
      {amounts.length > 0 && (
        <NativeSelect
          label={words.amounts}
          description={amountExamples(amounts, format, money)}
          data={[
            ...(format.decimal ? [] : [{ value: '', label: words.choice }]),
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
