import { Alert, Button, FileInput, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MAX_SAVED } from '../../../src/entities/user.ts';
import { RequestError } from '../api/client.ts';
import type { Body, CompanyRole, Person } from '../api/types.ts';
import { explain } from '../explain.ts';
import { formatCount } from '../format.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { linesOf, textOf } from '../parts/csv.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { FormField, Sent } from '../parts/form-fields.ts';
import { randomId } from '../parts/random-id.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll, useBands, useDepartments } from '../session/use-all.ts';
import { useChanged } from '../session/use-changes.ts';
import { useWarningBeforeLeaving } from '../session/use-leave-warning.ts';
import { texts } from '../texts.ts';
import { importTexts as words } from '../texts-import.ts';
import { lineColumns } from './import-columns.tsx';
import {
  fieldOf,
  importFields,
  type Line,
  type Outlook,
  outlooks,
  type Present,
  problemsOfLines,
} from './import-lines.ts';

const CRUMBS = [{ href: '/people', label: texts.pages.people }];
/** Pages of people that lines are compared with at most. */
const PAGES = 50;

/** Brings people in from a table: all of it is looked at before anything is sent. */
export function ImportPeoplePage({ profile }: { profile: Person }) {
  return (
    <CompanyPage profile={profile} title={words.title} lead={words.lead} crumbs={CRUMBS}>
      {({ id }) => <Compared key={id} companyId={id} caller={profile} />}
    </CompanyPage>
  );
}

function Compared({ companyId, caller }: { companyId: string; caller: Person }) {
  const { client, userId } = useSession();
  const departments = useDepartments(companyId);
  const bands = useBands(companyId);
  const people = useQuery({
    queryKey: ownKey(userId, 'people', 'all', companyId),
    queryFn: ({ signal }) =>
      readAll((page, limit) => client.get('/api/users/list', { companyId, page, limit }, signal), PAGES),
  });
  if (people.isError) return <Failed error={people.error} again={() => void people.refetch()} />;
  if (!people.data || !departments || !bands) return <Loading />;
  if (people.data.length >= PAGES * 100) return <Alert role="note">{words.tooMany(formatCount(PAGES * 100))}</Alert>;
  return <Table {...{ companyId, caller }} present={{ people: people.data, departments, bands }} />;
}

interface Read {
  lines: readonly Line[];
  columns: readonly string[];
  ignored: readonly string[];
  /** Columns of which one cannot tell which counts. */
  doubled: readonly string[];
}

function read(text: string, fields: readonly FormField[]): Read {
  const [head, ...rows] = linesOf(text);
  // A header that cannot be read names nothing.
  const titles = head === undefined || head.fault ? [] : head.cells;
  const names = titles.map((column) => fieldOf(fields, column));
  const lines = rows.map(({ line, cells, fault }) => ({
    ...{ id: randomId(), line, fault },
    cells: Object.fromEntries(names.flatMap((name, at) => (name === undefined ? [] : [[name, cells[at] ?? '']]))),
  }));
  const columns = [...new Set(names.filter((name) => name !== undefined))];
  const isDoubled = (at: number) =>
    names[at] !== undefined && names.indexOf(names[at]) !== names.lastIndexOf(names[at]);
  return {
    ...{ lines: head?.fault ? [{ ...head, id: randomId(), cells: {} }, ...lines] : lines, columns },
    ignored: titles.filter((_, at) => names[at] === undefined),
    doubled: titles.filter((_, at) => isDoubled(at)),
  };
}

/** What came of the import: how many lines are done, or why none is. */
type Outcome = { done: number } | { error: Error; ofLines: ReadonlyMap<string, string> };

function Table({ companyId, caller, present }: { companyId: string; caller: Person; present: Present }) {
  const { client } = useSession();
  const changed = useChanged();
  const fields = importFields(caller, present);
  const [table, setTable] = useState<Read>({ lines: [], columns: [], ignored: [], doubled: [] });
  const [isGuessed, setGuessed] = useState(false);
  const resetFile = useRef<() => void>(null);
  const [outcome, setOutcome] = useState<Outcome>();
  const [isRunning, setRunning] = useState(false);
  const { lines, columns, ignored, doubled } = table;
  useWarningBeforeLeaving(lines.length > 0 && !(outcome && 'done' in outcome));
  const refused = outcome && 'error' in outcome ? outcome : undefined;
  const found = outlooks(lines, fields, present);
  const take = (text: string) => {
    setOutcome(undefined);
    setGuessed(false);
    setTable(read(text, fields));
  };
  const takeFile = async (file: File | null) => {
    const bytes = await file?.arrayBuffer().catch(() => undefined);
    // So that the same file, corrected, can be chosen again.
    resetFile.current?.();
    if (bytes === undefined) return;
    const { text, isGuessed: guessed } = textOf(new Uint8Array(bytes));
    take(text);
    setGuessed(guessed);
  };
  const isWrong = doubled.length > 0 || found.some(({ problems }) => Object.keys(problems).length > 0);
  const due = lines.flatMap((line, at) => {
    const outlook = found[at];
    return outlook && hasWork(outlook) ? [{ line, outlook }] : [];
  });
  const run = async () => {
    setRunning(true);
    const create = due.filter(({ outlook }) => !outlook.person);
    const update = due.filter(({ outlook }) => outlook.person);
    const body = {
      companyId,
      create: create.map(({ outlook }) => newPerson(outlook.body)),
      update: update.map(({ outlook }) => ({ ...outlook.body, id: outlook.person?.id })),
    } as Body<'/api/users/save'>;
    const error = await client.post('/api/users/save', body).then(
      () => undefined,
      (reason: Error) => reason,
    );
    setOutcome(error ? { error, ofLines: problemsOfLines(error, { create, update }, fields) } : { done: due.length });
    // What somebody else has done meanwhile is in the way of a line: it is looked at anew.
    if (!error || (error instanceof RequestError && error.status === 409)) await changed();
    setRunning(false);
  };
  return (
    <Stack>
      <Group align="flex-start" grow>
        <FileInput
          label={words.file}
          placeholder={words.choose}
          accept=".csv,text/csv"
          onChange={(file) => void takeFile(file)}
          resetRef={resetFile}
          clearable={false}
        />
        <Textarea label={words.paste} rows={3} onChange={(event) => take(event.currentTarget.value)} />
      </Group>
      <Text size="sm" c="dimmed">
        {words.columns(fields.map(({ label }) => label).join(', '))}
      </Text>
      {ignored.length > 0 && <Text size="sm">{words.ignored(ignored.join(', '))}</Text>}
      {isGuessed && <Alert role="note">{words.guessed}</Alert>}
      {doubled.length > 0 && <Alert color="red">{words.doubled(doubled.join(', '))}</Alert>}
      {lines.length > 0 && !columns.includes('email') && <Alert color="red">{words.needed}</Alert>}
      {lines.length > 0 && columns.includes('email') && (
        <>
          <Text role="status" data-testid="summary">
            {outcome && 'done' in outcome ? words.finished(formatCount(outcome.done)) : summary(found)}
          </Text>
          <Group>
            <Button
              onClick={() => void run()}
              loading={isRunning}
              disabled={isWrong || due.length === 0 || due.length > MAX_SAVED}
            >
              {words.run}
            </Button>
            <Text size="sm" flex="1 1 20rem">
              {words.note}
            </Text>
          </Group>
          {due.length > MAX_SAVED && <Alert color="red">{words.tooManyLines(formatCount(MAX_SAVED))}</Alert>}
          {refused && (
            <Alert color="red">{words.nothingDone(refused.ofLines.size > 0 ? '' : explain(refused.error))}</Alert>
          )}
          <DataTable
            label={words.table}
            columns={lineColumns(
              fields.filter(({ name }) => columns.includes(name)),
              new Map(lines.map((line, at) => [line.id, found[at]])),
              refused?.ofLines ?? new Map(),
              (id, name, text) =>
                setTable({
                  ...table,
                  lines: lines.map((line) =>
                    line.id === id ? { ...line, cells: { ...line.cells, [name]: text } } : line,
                  ),
                }),
              (id) => setTable({ ...table, lines: lines.filter((line) => line.id !== id) }),
            )}
            rows={lines}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </Stack>
  );
}

function hasWork({ body, person }: Outlook): boolean {
  return person === undefined || Object.keys(body).length > 0;
}

function summary(found: readonly Outlook[]): string {
  const wrong = found.filter(({ problems }) => Object.keys(problems).length > 0);
  const right = found.filter((outlook) => !wrong.includes(outlook));
  const added = right.filter(({ person }) => person === undefined).length;
  const changed = right.filter((outlook) => outlook.person !== undefined && hasWork(outlook)).length;
  const counts = [added, changed, right.length - added - changed, wrong.length].map(formatCount);
  return words.summary(...(counts as [string, string, string, string]));
}

/** Sends the role as the list that the service takes. */
function newPerson({ role, ...body }: Sent) {
  return role === undefined ? body : { ...body, roles: [role as CompanyRole] };
}
