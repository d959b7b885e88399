import { basename } from 'node:path';
import sql from 'sql-template-tag';
import { CSV_BODY } from '../api/operation.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrator.ts';
import { ApiError } from '../entities/api-error.ts';
import { isCanonicalUuid } from '../entities/characters.ts';
import { momentIn } from '../features/people/import/feeds.ts';
import { importTable, type TableImport } from '../features/people/import/import-users.ts';
import { describe, ImportError, MAX_LISTED, ProblemList } from '../import/check/problems.ts';
import { type ImportProgress, type ImportReport, importFolder } from '../import/import-folder.ts';
import { openProblemReport } from '../import/report/problem-report.ts';
import { CHOICE_NAMES, readChoices } from '../import/tables/choices.ts';
import type { TableChoices } from '../import/tables/draft.ts';
import { UserError } from '../lib/errors.ts';
import { readRegularFile } from '../lib/regular-file.ts';
import type { Command, GivenOptions } from './command.ts';

/** Limits of what a file may change, each a share in percent. */
const SHARES = [
  { name: 'changed', limit: 'maxChanged', what: 'name, address or number' },
  { name: 'addresses', limit: 'maxAddresses', what: 'e-mail address' },
  { name: 'moved', limit: 'maxMoved', what: 'department or manager' },
] as const;

export const importCommand: Command = {
  name: 'import',
  parameters: ['FOLDER'],
  options: [
    { name: 'dry-run', summary: 'check everything, print what would be added and changed, and change nothing' },
    { name: 'report', value: 'FILE', summary: 'write all faults of the files to a CSV file' },
    {
      name: 'company',
      value: 'ID',
      summary: 'import people into this company, from one CSV file or workbook instead of a folder',
    },
    { name: 'choices', value: 'FILE', summary: `with --company: a JSON file with ${CHOICE_NAMES.join(', ')}` },
    {
      name: 'leavers',
      value: 'NUMBER',
      summary:
        'with --company: the file has everybody; missing people are deactivated, and at most this number of people',
    },
    {
      name: 'scope',
      value: 'NAME',
      summary: 'with --leavers: company, or file for people from this feed',
    },
    ...SHARES.map(({ name, what }) => ({
      name,
      value: 'NUMBER' as const,
      summary: `with --company: at most this percentage of the people gets another ${what}`,
    })),
    {
      name: 'as-of',
      value: 'TIME',
      summary: 'with --company: the age of the file, or the name of its column of dates; without: a date in its name',
    },
    { name: 'feed', value: 'NAME', summary: 'with --company: the name of one of several feeds of a company' },
    {
      name: 'confirm',
      value: 'NAME',
      summary: 'with --company: what an import beyond the limits printed for this file',
    },
  ],
  summary: 'migrate, then load companies and people from the CSV files of a folder, completely or not at all',
  details: 'docs/import.md describes the files; the folder demo is an example. All faults are reported at once.',
  makesDatabase: true,
  writes: true,
  async act({ db }, [path = ''], { print, progress }, options) {
    const dryRun = options['dry-run'] === true;
    const onProgress = ({ file, step, done, total }: ImportProgress) =>
      progress({ step: `${step} ${file}`, done, total, unit: step === 'reading' ? 'bytes' : 'rows' });
    await using report = typeof options.report === 'string' ? await openProblemReport(options.report, path) : undefined;
    try {
      if (!dryRun) await migrate(db, { announce: print });
      if (options.company !== undefined) print(await importFile(db, path, options));
      else for (const line of linesOf(await importFolder(db, path, { dryRun, onProgress }))) print(line);
      if (dryRun) print('A dry run: nothing has been changed.');
      await report?.write(undefined);
    } catch (error) {
      if (error instanceof ImportError) await report?.write(error);
      throw error;
    }
  },
};

function linesOf({ files }: ImportReport): string[] {
  return files.map(({ file, rows, added, changed, removed, unchanged }) => {
    const counts = [`${added} added`, `${changed} changed`, ...(removed > 0 ? [`${removed} removed`] : [])];
    return `${file}: ${rows} rows, ${counts.join(', ')}, ${unchanged} unchanged`;
  });
}

/** The command line, under the rules about people. */
const AUTHOR = {
  actor: { kind: 'command' },
  scope: 'all',
  caller: {
    keyId: '',
    directoryId: '',
    companyId: null,
    createdBy: null,
    confirmedBy: null,
    isSuspended: false,
    scopes: [],
  },
} as const;

/** Imports a file of people into a company. @returns what was done @throws ImportError with every problem */
async function importFile(db: Database, path: string, options: GivenOptions): Promise<string> {
  const companyId = String(options.company).toLowerCase();
  const isKnown =
    isCanonicalUuid(companyId) && (await db.query(sql`select from companies where id = ${companyId}`)).length > 0;
  if (!isKnown) throw new UserError(`Nothing was imported: there is no company with the id ${options.company}.`);
  const choices = typeof options.choices === 'string' ? await choicesOf(options.choices) : undefined;
  const maxLeavers = options.leavers;
  if (maxLeavers !== undefined && !/^\d{1,5}$/.test(String(maxLeavers)))
    throw new UserError('--leavers must be a number.');
  const leaving = maxLeavers === undefined ? {} : { mode: 'all', maxLeavers: Number(maxLeavers) };
  const dryRun = options['dry-run'] === true;
  const bytes = await readRegularFile(path, CSV_BODY);
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const shares = SHARES.map(({ name, limit }) => {
    const share = text(name);
    if (share !== undefined && !/^\d{1,2}$|^100$/.test(share))
      throw new UserError(`--${name} must be a number up to 100.`);
    return [limit, share === undefined ? undefined : Number(share)];
  });
  const given: TableImport = {
    ...{ companyId, dryRun, choices, ...leaving, ...Object.fromEntries(shares) },
    ...{ scope: text('scope'), feed: text('feed'), confirm: text('confirm') },
    asOf: text('as-of') ?? (momentIn(basename(path)) && basename(path)),
  };
  const view = await importTable(db, AUTHOR, given, bytes, () => true).catch((error: unknown) => {
    throw error instanceof ApiError ? new UserError(`Nothing was imported. ${error.message}`, { cause: error }) : error;
  });
  const file = basename(path);
  const problems = new ProblemList();
  for (const { message: reason, ...found } of view.problems) {
    const [line, column, value] = [found.line ?? undefined, found.column ?? undefined, found.value ?? undefined];
    problems.add({ file, line, column, value, reason });
  }
  problems.addUntold(view.problemsTotal - view.problems.length);
  if (problems.count > 0) throw problems.toError(path, [file]);
  const leavers = view.leavers === undefined ? '' : `, ${view.leavers} leavers`;
  const counts = `${file}: ${view.added} added, ${view.changed} changed, ${view.unchanged} unchanged${leavers}`;
  const { leftOut = [], leftOutTotal: total = 0 } = view;
  if (total === 0) return counts;
  const shown = leftOut.slice(0, MAX_LISTED).map(({ line, column, message }) => {
    return `  ${describe({ file, line: line ?? undefined, column: column ?? undefined, reason: message })}`;
  });
  const more = total > shown.length ? [`  … and ${total - shown.length} more`] : [];
  return [`${counts}, ${total} ${total === 1 ? 'value' : 'values'} left out:`, ...shown, ...more].join('\n');
}

async function choicesOf(path: string): Promise<TableChoices> {
  const read = readChoices((await readRegularFile(path, CSV_BODY)).toString());
  if ('choices' in read) return read.choices;
  throw new UserError(`${path}: ${read.problems.map(({ field, expected }) => `${field} ${expected}`).join('; ')}.`);
}
