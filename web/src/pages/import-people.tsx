import { Alert, Button, FileInput, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_SAVED } from '../../../src/entities/user.ts';
import { RequestError } from '../api/client.ts';
import type { Body, CompanyRole, Person } from '../api/types.ts';
import { explain } from '../explain.ts';
import { formatCount } from '../format.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { linesOf } from '../parts/csv.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import type { FormField, Sent } from '../parts/form-fields.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll, useBands, useDepartments } from '../session/use-all.ts';
import { useChanged } from '../session/use-changes.ts';
import { texts } from '../texts.ts';
import { importTexts as words } from '../texts-import.ts';
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
}

function read(text: string, fields: readonly FormField[]): Read {
  const [head = [], ...rows] = linesOf(text);
  const names = head.map((column) => fieldOf(fields, column));
  const lines = rows.map((row) => ({
    id: crypto.randomUUID(),
    cells: Object.fromEntries(names.flatMap((name, at) => (name === undefined ? [] : [[name, row[at] ?? '']]))),
  }));
  const columns = names.filter((name) => name !== undefined);
  return { lines, columns, ignored: head.filter((_, at) => names[at] === undefined) };
}

/** What came of the import: how many lines are done, or why none is. */
type Outcome = { done: number } | { error: Error; ofLines: ReadonlyMap<string, string> };

function Table({ companyId, caller, present }: { companyId: string; caller: Person; present: Present }) {
  const { client } = useSession();
  const changed = useChanged();
  const fields = importFields(caller, present);
  const [table, setTable] = useState<Read>({ lines: [], columns: [], ignored: [] });
  const [outcome, setOutcome] = useState<Outcome>();
  const [isRunning, setRunning] = useState(false);
  const { lines, columns, ignored } = table;
  const refused = outcome && 'error' in outcome ? outcome : undefined;
  const found = outlooks(lines, fields, present);
  const take = (text: string) => {
    setOutcome(undefined);
    setTable(read(text, fields));
  };
  const isWrong = found.some(({ problems }) => Object.keys(problems).length > 0);
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
          onChange={(file) => void file?.text().then(take)}
          clearable={false}
        />
        <Textarea label={words.paste} rows={3} onChange={(event) => take(event.currentTarget.value)} />
      </Group>
      <Text size="sm" c="dimmed">
        {words.columns(fields.map(({ label }) => label).join(', '))}
      </Text>
      {ignored.length > 0 && <Text size="sm">{words.ignored(ignored.join(', '))}</Text>}
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
            columns={columnsFor(
              fields.filter(({ name }) => columns.includes(name)),
              new Map(lines.map((line, at) => [line.id, found[at]])),
              refused?.ofLines ?? new Map(),
              (id, name, text) =>
                setTable({
                  ...table,
                  lines: lines.map((line) => (line.id === id ? { id, cells: { ...line.cells, [name]: text } } : line)),
                }),
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

function columnsFor(
  fields: readonly FormField[],
  found: ReadonlyMap<string, Outlook | undefined>,
  refused: ReadonlyMap<string, string>,
  mend: (id: string, name: string, text: string) => void,
): Column<Line>[] {
  return [
    {
      name: words.state,
      show: ({ id }) => refused.get(id) ?? stateOf(found.get(id), fields),
    },
    ...fields.map(({ name, label }) => ({
      name: label,
      show: ({ id, cells }: Line) => {
        const problem = found.get(id)?.problems[name];
        if (problem === undefined) return <bdi>{cells[name]}</bdi>;
        return (
          <TextInput
            size="xs"
            aria-label={label}
            defaultValue={cells[name] ?? ''}
            error={problem}
            onBlur={(event) => mend(id, name, event.currentTarget.value.trim())}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        );
      },
    })),
  ];
}

function stateOf(outlook: Outlook | undefined, fields: readonly FormField[]): string {
  if (!outlook || Object.keys(outlook.problems).length > 0) return words.wrong;
  if (!outlook.person) return words.add;
  const names = fields.filter(({ name }) => name in outlook.body).map(({ label }) => label);
  return names.length === 0 ? words.same : words.change(names.join(', '));
}
