import { setTimeout as sleep } from 'node:timers/promises';
import sql, { join, raw } from 'sql-template-tag';
import { assertCompanyVisible } from '../../../api/company-row.ts';
import { analyzeTrail } from '../../../audit/audit-trail.ts';
import { mergeRows } from '../../../audit/merge-rows.ts';
import {
  advisoryLock,
  type Database,
  type Reader,
  type Session,
  type Transaction,
  type Writer,
} from '../../../db/database.ts';
import { notWanted } from '../../../db/database-errors.ts';
import { type ApiError, tryAgain } from '../../../entities/api-error.ts';
import { department } from '../../../entities/department.ts';
import { user } from '../../../entities/user.ts';
import type { ProblemList } from '../../../import/check/problems.ts';
import { importTables } from '../../../import/import-tables.ts';
import { gives, ID_IS_NEW, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { countKeysMade } from '../../api-keys/keys-made.ts';
import { linkManagers } from '../newcomers.ts';
import { deactivateLeavers, type Leavers, lockLeavers, noteAddresses, noteFile } from './feeds.ts';
import { checkRules } from './import-rules.ts';
import type { ImportChangeView, OverLimit } from './import-schemas.ts';
import { identifyPeople, newDepartments } from './match-people.ts';
import { type BroughtPeople, countChanges, listChanges } from './people-changes.ts';
import { peopleFormat, ROLES } from './people-format.ts';
import {
  endRolesElsewhere,
  PIECE,
  undoUnfinishedImport,
  writeFirstPiece,
  writeOtherPieces,
  writeRows,
} from './write-people.ts';

/** What an import does, or would do. */
export interface PeopleReport extends Partial<Leavers> {
  added: number;
  changed: number;
  unchanged: number;
  /** Keys in use that the people who left through it created; absent where nobody left. */
  keysMade?: number;
  /** What the file does beyond its limits. */
  over?: OverLimit[];
  /** The requested page of changes. */
  changes: ImportChangeView[];
}

/** The report on a table of which nothing is imported. */
export const NOTHING: PeopleReport = { added: 0, changed: 0, unchanged: 0, changes: [] };

/** Statement and lock timeout on a server in milliseconds: more than any statement on 50,000 rows needs. */
const [STATEMENT_TIMEOUT, LOCK_TIMEOUT] = [60_000, 10_000];

/** Changed rows from which on an embedded database is vacuumed and analysed; a server has autovacuum. */
const MANY_ROWS = 1000;

/**
 * Imports people into a company atomically: read, matched, checked and merged like the `users.csv` of a folder, under the rules about
 * people. A dry run reports changes of valid rows even if others are invalid; otherwise any problem means that nothing is written.
 *
 * @throws DiskLowError
 */
export async function importPeople(db: Database, brought: BroughtPeople, problems: ProblemList): Promise<PeopleReport> {
  const { companyId, definitions, source, size, dryRun } = brought;
  const table = { format: peopleFormat(companyId, definitions), source, size };
  return importTables(db, [table], problems, {
    dryRun,
    checksIncomplete: true,
    prepare: (session) => prepare(db, session, brought),
    match: (session, file) => identifyPeople(session, file, brought, problems),
    async finish(session, [file]) {
      if (file === undefined) return NOTHING;
      if (!dryRun && problems.count === 0) return writePeople(db, session, file, brought, problems);
      return checkPeople(session, file, brought, problems);
    },
  });
}

/** Locks the imports of the company and bounds them in time, on a server; on an embedded database undoes one that was killed. */
async function prepare(db: Database, shared: Session, { companyId, isWanted }: BroughtPeople): Promise<Session> {
  const session = db.kind === 'embedded' ? paced(shared) : shared;
  if (!isWanted()) throw notWanted();
  if (db.kind === 'embedded') {
    await undoUnfinishedImport(session.unguarded ?? session);
    return session;
  }
  await lockCompanyImports(session, companyId);
  await session.query(sql`set statement_timeout = ${raw(String(STATEMENT_TIMEOUT))}`);
  await session.query(sql`set lock_timeout = ${raw(String(LOCK_TIMEOUT))}`);
  await session.query(sql`set work_mem = '32MB'`);
  return session;
}

/** Checks the rules, and reports in a dry run what the rows without problems would change. */
async function checkPeople(
  session: Session,
  file: StagedFile,
  brought: BroughtPeople,
  problems: ProblemList,
): Promise<PeopleReport> {
  const { found } = await session.transaction((transaction) => checkRules(transaction, brought, file, problems));
  if (!brought.dryRun || problems.untold > 0) return { ...NOTHING, ...found };
  const rows = await keepGoodRows(session, problems);
  return { ...(await changesOf(session, file, brought, rows)), ...found };
}

/** Returns what the staged rows change, before they are written. */
async function changesOf(
  db: Reader,
  file: StagedFile,
  { companyId, dryRun, page }: BroughtPeople,
  rows: number,
): Promise<PeopleReport> {
  const { added, changed } = await countChanges(db, file, companyId);
  const changes = page ? await listChanges(db, file, { companyId, tellsNewIds: !dryRun, page }) : [];
  return { added, changed, unchanged: rows - added - changed, changes };
}

/** Writes the rows unless the rules forbid any: in one transaction, or many rows on an embedded database in pieces. */
async function writePeople(
  db: Database,
  session: Session,
  file: StagedFile,
  brought: BroughtPeople,
  problems: ProblemList,
): Promise<PeopleReport> {
  const { companyId, author, isWanted } = brought;
  const isEmbedded = db.kind === 'embedded';
  const inPieces = isEmbedded && file.rows > PIECE;
  let leaving: readonly string[] = [];
  const report = await session.transaction(async (transaction) => {
    if (!isWanted()) throw notWanted();
    await assertCompanyVisible(transaction, author.scope, companyId);
    await lockChanging(transaction, file);
    if (brought.all) await lockLeavers(transaction, brought);
    const checked = await checkRules(transaction, brought, file, problems);
    leaving = checked.leaving;
    if (problems.count > 0) return { ...NOTHING, ...checked.found };
    const found = { ...(await changesOf(transaction, file, brought, file.rows)), ...checked.found };
    await noteAddresses(transaction, file, brought);
    const made = { entity: department, rows: newDepartments, given: new Set(Object.keys(department.fields)) };
    if (brought.choices.departments !== undefined) await mergeRows(transaction, made, author.actor);
    if (inPieces) await writeFirstPiece(transaction, file, brought);
    else await writeRows(transaction, file, brought);
    if (brought.all) {
      await deactivateLeavers(transaction, brought, inPieces);
      const people = sql`select user_id from company_roles where company_id <> ${companyId}::uuid`;
      await endRolesElsewhere(transaction, author.actor, companyId, people);
    }
    if (!inPieces) await noteFile(transaction, ID_IS_NEW, brought);
    return found;
  });
  if (problems.count > 0) return report;
  if (inPieces) {
    await writeOtherPieces(session, file, brought);
    await session.transaction((transaction) => noteFile(transaction, ID_IS_NEW, brought));
  }
  if (report.added > 0) {
    const came = sql`select id from ${stagingTable(user)} where ${raw(ID_IS_NEW)}`;
    await session.transaction((transaction) => linkManagers(transaction, author.actor, companyId, came));
  }
  if (isEmbedded && report.added + report.changed >= MANY_ROWS && db.diskState?.() !== 'low') {
    await session.query(sql`vacuum analyze users`);
    await session.query(analyzeTrail);
  }
  if (leaving.length === 0) return report;
  return { ...report, keysMade: await countKeysMade(session, leaving, [companyId]) };
}

/** Locks the people whom the rows may change, ordered by id, so that transactions locking the same people cannot deadlock. */
async function lockChanging(transaction: Transaction, file: StagedFile): Promise<void> {
  const fields = Object.entries(user.fields).filter(([name]) => name !== user.id && gives(file, name));
  const differing = fields.map(([, { column }]) => raw(`s.${column} is distinct from t.${column}`));
  await transaction.query(sql`
    with locked as materialized (
      select t.id from ${stagingTable(user)} s join users t on t.id = s.id
       where s.${raw(ROLES)} is not null or s.own_roles is not null or ${join([sql`false`, ...differing], ' or ')}
       order by t.id for update of t)
    select count(*)::integer from locked`);
}

/** Returns the session with a pause after each piece of work, as long as it took: of an embedded database an import takes half at most. */
function paced(session: Session): Session {
  const thenPause = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    try {
      return await work();
    } finally {
      await sleep(performance.now() - began);
    }
  };
  async function* slowly(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      const began = performance.now();
      yield piece;
      await sleep(performance.now() - began);
    }
  }
  return {
    ...session,
    query: (statement) => thenPause(() => session.query(statement)),
    transaction: (work) => thenPause(() => session.transaction(work)),
    copyInto: (target, pieces) => session.copyInto(target, slowly(pieces)),
  };
}

/** Removes the staged rows that have problems. @returns the number of the others */
async function keepGoodRows(session: Session, problems: ProblemList): Promise<number> {
  const staged = stagingTable(user);
  const lines = JSON.stringify(problems.reported.flatMap(({ line }) => line ?? []));
  await session.query(sql`
    delete from ${staged} where line = any(array(select json_array_elements_text(${lines}::text::json))::integer[])`);
  const [count] = await session.query<{ rows: number }>(sql`select count(*)::integer as rows from ${staged}`);
  return count?.rows ?? 0;
}

/** Locks imports into the company against other processes until the session ends. @throws ApiError `OVERLOADED` where one is running */
export async function lockCompanyImports(session: Writer, companyId: string): Promise<void> {
  const [lock] = await session.query<{ isHeld: boolean }>(sql`
    select pg_try_advisory_lock(${advisoryLock('peopleImport')}, hashtext(${companyId})) as "isHeld"`);
  if (lock?.isHeld !== true) throw importRunning();
}

/** Returns the refusal of an import while another one of the company runs. */
export function importRunning(): ApiError {
  return tryAgain('OVERLOADED', 'Another import of this company is in progress: try again shortly.', 5);
}
