import { Alert, Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Switch } from '@mantine/core';
import { formatDate, formatMoney } from '../format.ts';
import { doubledFields, IMPORT_FIELDS, isFullName, type Target } from '../import/columns.ts';
import { readDate } from '../import/dates.ts';
import { formatOf, type ImportDraft, obstacleOf, openTexts } from '../import/draft.ts';
import { FIELD_LABELS } from '../import/labels.ts';
import { rememberTarget } from '../import/remembered-targets.ts';
import { type Decimal, readValue, type ValueFormat } from '../import/values.ts';
import { importTexts as words } from '../texts.ts';

interface ImportChoicesProps {
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
}

const EXAMPLES = 3;
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
      {canSplit && (
        <Alert role="note">
          <Group>
            {words.splittable(header.cells[fullName] ?? '')}
            <Button size="xs" variant="default" onClick={() => send(fullName, 'fullName')}>
              {words.split}
            </Button>
          </Group>
        </Alert>
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

function examplesOf({ lines }: ImportDraft, column: number): string {
  const values = new Set<string>();
  for (const { cells } of lines) {
    if (values.size === EXAMPLES) break;
    if (cells[column]) values.add(cells[column]);
  }
  const text = [...values].join(' · ');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text || words.nothing;
}

/** The formats that the values of the file leave open. */
function Formats({ draft, change }: ImportChoicesProps) {
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
          description={amountExamples(amounts, format)}
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

function dateExamples(texts: readonly string[], { dates }: ValueFormat): string {
  return texts
    .slice(0, EXAMPLES)
    .map((text) => {
      const date = readDate(text, dates);
      return `${text} → ${date === undefined ? '?' : formatDate(date)}`;
    })
    .join(' · ');
}

function amountExamples(texts: readonly string[], format: ValueFormat): string {
  return texts
    .slice(0, EXAMPLES)
    .map((text) => {
      const amount = readValue('approvalLimit', text, format);
      return `${text} → ${typeof amount === 'string' ? formatMoney(amount) : '?'}`;
    })
    .join(' · ');
}
