import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { assertCompanyVisible } from '../../../api/company-row.ts';
import { findDefinitions } from '../../../api/custom-fields.ts';
import { mapConflicts, retryOnUniqueViolation, type WriteRequest } from '../../../api/write-request.ts';
import { recordEvent } from '../../../audit/audit-trail.ts';
import type { Database, IsWanted } from '../../../db/database.ts';
import { ApiError, apiErrors, type FieldProblem, MAX_PROBLEMS, problemOf } from '../../../entities/api-error.ts';
import { company } from '../../../entities/company.ts';
import { user } from '../../../entities/user.ts';
import { type ImportProblem, ProblemList } from '../../../import/check/problems.ts';
import { OTHER_COLUMNS, readChoices } from '../../../import/tables/choices.ts';
import { plainName, targetsByLabel } from '../../../import/tables/columns.ts';
import { MATCHED_FIELDS, type TableChoices } from '../../../import/tables/draft.ts';
import { momentIn, USUAL_FEED } from './feeds.ts';
import { importPeople, importRunning, NOTHING } from './import-people.ts';
import type { ImportProblemView, UsersImportInput, UsersImportView } from './import-schemas.ts';
import type { ImportAuthor } from './people-changes.ts';
import { peopleFormat } from './people-format.ts';
import { readPeopleTable } from './read-table.ts';

type UsersImport = Static<typeof UsersImportInput>;

/**
 * Imports people into a company atomically: read as by the console, matched and checked as by `orgdesk import`, under the rules of a create
 * and an update.
 *
 * @param isWanted whether the client still waits for the response
 * @throws ApiError `COMPANY_FORBIDDEN` for an unknown company, `INVALID_INPUT` with all problems unless it is a dry run, `OVERLOADED` where
 *   another import of the company is running. Taken ids and addresses leave an audit entry, so that probing for addresses shows.
 */
export async function importUsers(
  db: Database,
  request: WriteRequest,
  given: UsersImport,
  bytes: Buffer,
  isWanted: IsWanted,
): Promise<UsersImportView> {
  const { companyId, dryRun = false, choices } = given;
  await assertCompanyVisible(db, request.scope, companyId);
  const read = choices === undefined ? { choices } : readChoices(choices);
  if ('problems' in read) {
    const fields = read.problems.map(({ field, expected }): FieldProblem => {
      return problemOf(field, 'INVALID_VALUE', `${expected}`);
    });
    throw apiErrors.invalidInput(fields);
  }
  const found = await importTable(db, request, { ...given, dryRun, choices: read.choices }, bytes, isWanted);
  const { problems, leftOut } = found;
  const view = {
    ...found,
    problems: problems.slice(0, MAX_PROBLEMS),
    ...(leftOut && { leftOut: leftOut.slice(0, MAX_PROBLEMS) }),
  };
  if (!dryRun && view.problemsTotal > 0) throw refusal(view, given.confirm);
  return view;
}

/** An import whose choices have been read. */
export interface TableImport extends Omit<UsersImport, 'choices'> {
  choices: TableChoices | undefined;
}

/** Reads and imports a table, unless there are problems. Lines and columns of the report are those of the file. */
export async function importTable(
  db: Database,
  author: ImportAuthor,
  given: TableImport,
  bytes: Buffer,
  isWanted: IsWanted,
): Promise<UsersImportView> {
  const { companyId, dryRun = false, choices, after = 0, limit = 100, mode, scope = 'company', feed = '' } = given;
  const name = feed || USUAL_FEED;
  const all = mode !== 'all' ? undefined : scope === 'file' ? ('file' as const) : ('company' as const);
  const { maxLeavers, maxChanged, maxAddresses, maxMoved } = given;
  const limits = { maxLeavers, maxChanged, maxAddresses, maxMoved };
  const confirm = digestOf(bytes, { companyId, mode, scope, name, choices });
  const page = given.changes ? { after, limit } : undefined;
  let problems = new ProblemList();
  const { columns, report } = await oneAtATime(companyId, async () => {
    const moment = given.asOf === undefined ? undefined : momentIn(given.asOf);
    const dated = moment === undefined ? given.asOf : undefined;
    const definitions = (await findDefinitions(db, user.name, [companyId])).filter(({ active }) => active);
    const table = await readPeopleTable(bytes, peopleFormat(companyId, definitions), ofTable(choices), {
      dated,
      targets: targetsByLabel(definitions),
    });
    const { source, columns, problems: found } = table;
    const others = choices?.columns ?? {};
    const feedFile = {
      name,
      asOf: moment ?? table.asOf,
      columns: all && others[OTHER_COLUMNS] !== undefined ? Object.fromEntries(columns) : undefined,
      mayLack: (column: string) => others[plainName(column)] !== undefined,
    };
    const work = async () => {
      problems = new ProblemList();
      for (const { leftOut, ...problem } of found) {
        if (leftOut === undefined || problem.line === undefined) problems.add({ file: user.file, ...problem });
        else problems.leaveOut(leftOut, problem.line, { file: user.file, ...problem });
      }
      if (source === undefined) return NOTHING;
      const brought = {
        companyId,
        definitions,
        source,
        size: bytes.length,
        dryRun,
        all,
        limits,
        choices: choices ?? {},
        feed: feedFile,
        confirm,
        page,
        isWanted,
        author,
        invites: given.invite ?? true,
      };
      return importPeople(db, { ...brought, isConfirmed: given.confirm === confirm }, problems);
    };
    return { columns, report: await mapConflicts(user, () => retryOnUniqueViolation(work)) };
  });
  const { taken, reported, count } = problems;
  if (taken > 0) {
    const refused = { entity: company, id: companyId, companyId, values: { taken: [null, taken] } };
    await recordEvent(db, author.actor, refused, 'refused');
  }
  const { changes } = report;
  return {
    ...report,
    problems: reported.map((problem) => problemView(problem, columns)),
    problemsTotal: count,
    ...leftOutOf(problems, columns),
    ...notesOf(problems, columns),
    ...(report.over && { confirm }),
    changesNext: changes.length === limit ? (changes.at(-1)?.line ?? null) : null,
  };
}

/** Returns the values that were left out; nothing where there are none. */
function leftOutOf(
  { leftOut, leftOutLines }: ProblemList,
  columns: ReadonlyMap<string, string>,
): Pick<UsersImportView, 'leftOut' | 'leftOutTotal'> {
  if (leftOut.length === 0) return {};
  const leftOutTotal = [...leftOutLines.values()].reduce((sum, lines) => sum + lines.length, 0);
  return { leftOut: leftOut.toSorted(byLine).map((problem) => problemView(problem, columns)), leftOutTotal };
}

/** Returns what the reader should know; nothing where there is nothing. */
function notesOf({ notes, notesTotal }: ProblemList, columns: ReadonlyMap<string, string>) {
  if (notesTotal === 0) return {};
  const listed = notes.toSorted(byLine).slice(0, MAX_PROBLEMS);
  return { notes: listed.map((note) => problemView(note, columns, false)), notesTotal };
}

const byLine = (left: ImportProblem, right: ImportProblem) => (left.line ?? 0) - (right.line ?? 0);

/** Fields whose values may be chosen once for all lines of a file that is not in the columns of an import. */
const CHOSEN: readonly string[] = [...MATCHED_FIELDS, 'manager'];

function problemView(
  { line, column, value, reason }: ImportProblem,
  columns: ReadonlyMap<string, string>,
  asks = true,
): ImportProblemView {
  const mayChoose = asks && !reason.includes('values.') && columns.has(column ?? '') && CHOSEN.includes(column ?? '');
  return {
    line: line === undefined ? null : Math.max(line, 1),
    column: columns.get(column ?? '') ?? column ?? null,
    value: value ?? null,
    message: mayChoose ? `${reason}, or choose what stands for it in values.${column}` : reason,
  };
}

/** Returns the choices unless all of them are about the people: these say nothing of how a table is read. */
function ofTable(choices: TableChoices | undefined): TableChoices | undefined {
  const { departments, newcomer, externalIds } = choices ?? {};
  const ofPeople = [departments, newcomer, externalIds].filter((choice) => choice !== undefined);
  return ofPeople.length > 0 && ofPeople.length === Object.keys(choices ?? {}).length ? undefined : choices;
}

/** Returns what confirms exactly this file with these choices. */
function digestOf(bytes: Buffer, given: object): string {
  return createHash('sha256').update(bytes).update(JSON.stringify(given)).digest('hex').slice(0, 32);
}

function refusal(data: UsersImportView, confirm: string | undefined): ApiError {
  const older = data.over?.find(({ limit }) => limit === 'asOf');
  if (older && data.confirm !== confirm)
    return new ApiError('OUTDATED', `Nothing was imported: ${older.message}.`, { data });
  const fields = data.problems.map(({ line, column, message }): FieldProblem => {
    const row = line === null ? 'body' : `lines[${line}]`;
    return { field: column === null ? row : `${row}.${column}`, code: 'INVALID_VALUE', message };
  });
  const { problems } = apiErrors.invalidInput(fields);
  const total = data.problemsTotal;
  const message = `Nothing was imported: ${total} ${total === 1 ? 'problem' : 'problems'}.`;
  return new ApiError('INVALID_INPUT', message, { problems, data });
}

/** Companies for which this process is running an import. */
const running = new Set<string>();

/** Runs work for a company, unless such work is already in flight in this process. @throws ApiError `OVERLOADED` */
async function oneAtATime<Result>(companyId: string, work: () => Promise<Result>): Promise<Result> {
  if (running.has(companyId)) throw importRunning();
  running.add(companyId);
  try {
    return await work();
  } finally {
    running.delete(companyId);
  }
}
