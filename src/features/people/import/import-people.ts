import { setTimeout as sleep } from 'node:timers/promises';
import sql, { join, raw } from 'sql-template-tag';
import { assertCompanyVisible } from '../../../api/company-row.ts';
import { analyzeTrail } from '../../../audit/audit-trail.ts';
import { advisoryLock } from '../../../db/advisory-locks.ts';
import type { Database, Reader, Session, Transaction, Writer } from '../../../db/database.ts';
import { notWanted } from '../../../db/database-errors.ts';
import { ApiError } from '../../../entities/api-error.ts';
import { user } from '../../../entities/user.ts';
import { checkAgainstDatabase } from '../../../import/check/folder-checks.ts';
import { type ImportProblem, ProblemList } from '../../../import/check/problems.ts';
import { folderFormat, targetsOf } from '../../../import/read/import-format.ts';
import {
  analyzeStagedRows,
  assertDiskSpace,
  createStagingTables,
  dropStagingTables,
  gives,
  ID_IS_NEW,
  type StagedFile,
  stageRows,
  stagingTable,
} from '../../../import/stage/staging.ts';
import { countKeysMade } from '../../api-keys/keys-made.ts';
import { linkManagers } from '../add-people.ts';
import { checkRules } from './import-rules.ts';
import type { ImportChangeView } from './import-schemas.ts';
import { deactivateLeavers, type Leavers, lockLeavers } from './leavers.ts';
import { identifyPeople } from './match-people.ts';
import { type BroughtPeople, countChanges, listChanges } from './people-changes.ts';
import { peopleFormat, ROLES } from './people-format.ts';
import { PIECE, undoUnfinishedImport, writeFirstPiece, writeOtherPieces, writeRows } from './write-people.ts';

export interface PeopleReport {
  added: number;
  changed: number;
  unchanged: number;
  /** Ordered by line. If there are any, nothing has been written. */
  problems: readonly ImportProblem[];
  /** Number of problems that are counted but not listed. */
  untold: number;
  /** Number of addresses and ids taken by people of whom nothing may be disclosed. */
  taken: number;
  /** Keys in use that the people who left through it created; absent where nobody left. */
  keysMade?: number;
  /** The requested page of changes. */
  changes: ImportChangeView[];
  /** People who are missing from a file of everybody: their number, and the first of them. */
  leavers?: Leavers['leavers'];
  leaving?: Leavers['leaving'];
}

/** Statement and lock timeout on a server in milliseconds: more than any statement on 50,000 rows needs. */
const [STATEMENT_TIMEOUT, LOCK_TIMEOUT] = [60_000, 10_000];

/** Changed rows from which on an embedded database is vacuumed and analysed; a server has autovacuum. */
const MANY_ROWS = 1000;

/**
 * Imports people into a company atomically: read, matched, checked and merged like the `users.csv` of a folder, under the rules about
 * people. A dry run reports changes of valid rows even if others are invalid.
 *
 * @throws DiskLowError
 */
export function importPeople(db: Database, brought: BroughtPeople): Promise<PeopleReport> {
  const { companyId, table, dryRun, isWanted } = brought;
  assertDiskSpace(db, brought.size, dryRun);
  return db.session(async (shared) => {
    const session = db.kind === 'embedded' ? paced(shared) : shared;
    if (!isWanted()) throw notWanted();
    if (db.kind === 'embedded') await undoUnfinishedImport(session.unguarded ?? session);
    if (db.kind === 'server') {
      await lockCompanyImports(session, companyId);
      await session.query(sql`set statement_timeout = ${raw(String(STATEMENT_TIMEOUT))}`);
      await session.query(sql`set lock_timeout = ${raw(String(LOCK_TIMEOUT))}`);
      await session.query(sql`set work_mem = '32MB'`);
    }
    try {
      const problems = new ProblemList();
      for (const problem of table.problems) problems.add({ file: user.file, ...problem });
      const format = peopleFormat(companyId);
      await createStagingTables(session, [format, ...targetsOf(user).map(folderFormat)]);
      const file = await stageRows(session, table.source, format, problems);
      if (file === undefined) return reportOf(problems);
      await analyzeStagedRows(session, [file]);
      await identifyPeople(session, file, companyId, problems);
      await checkAgainstDatabase(session, [file], problems);
      let written: Changes | undefined;
      let missing: Partial<Leavers> = {};
      if (!dryRun && problems.count === 0) written = await writePeople(db, session, file, brought, problems);
      else ({ missing } = await session.transaction((transaction) => checkRules(transaction, brought, file, problems)));
      const isHopeless = problems.untold > 0;
      if (isHopeless || (!dryRun && problems.count > 0)) return reportOf(problems);
      const rows = dryRun ? await keepGoodRows(session, problems) : file.rows;
      const { added, changed, ...others } = written ?? (await changesOf(session, file, brought));
      if (db.kind === 'embedded' && !dryRun && added + changed >= MANY_ROWS && db.diskState?.() !== 'low') {
        await session.query(sql`vacuum analyze users`);
        await session.query(analyzeTrail);
      }
      return { ...reportOf(problems), added, changed, unchanged: rows - added - changed, ...missing, ...others };
    } finally {
      // Tables that cannot be dropped now go with the session, or at the start of the next import.
      await dropStagingTables(session).catch(() => undefined);
    }
  });
}

function reportOf(problems: ProblemList): PeopleReport {
  const { told, untold, taken } = problems;
  return { added: 0, changed: 0, unchanged: 0, problems: told, untold, taken, changes: [] };
}

/** Numbers of people added and changed, and the requested page of changes. */
type Changes = Pick<PeopleReport, 'added' | 'changed' | 'changes' | 'keysMade' | 'leavers' | 'leaving'>;

/** Returns what the staged rows change, before they are written. */
async function changesOf(db: Reader, file: StagedFile, { companyId, dryRun, page }: BroughtPeople): Promise<Changes> {
  const counts = await countChanges(db, file, companyId);
  return { ...counts, changes: page ? await listChanges(db, file, { companyId, tellsNewIds: !dryRun, page }) : [] };
}

/**
 * Writes the rows unless the rules forbid any: in one transaction, or many rows on an embedded database in pieces.
 *
 * @returns undefined where the rules forbid any
 */
async function writePeople(
  db: Database,
  session: Session,
  file: StagedFile,
  brought: BroughtPeople,
  problems: ProblemList,
): Promise<Changes | undefined> {
  const { companyId, author, isWanted } = brought;
  const inPieces = db.kind === 'embedded' && file.rows > PIECE;
  let leaving: readonly string[] = [];
  const changes = await session.transaction(async (transaction) => {
    if (!isWanted()) throw notWanted();
    await assertCompanyVisible(transaction, author.scope, companyId);
    await lockChanging(transaction, file);
    if (brought.all) await lockLeavers(transaction, brought);
    const checked = await checkRules(transaction, brought, file, problems);
    leaving = checked.leaving;
    if (problems.count > 0) return undefined;
    const found = { ...(await changesOf(transaction, file, brought)), ...checked.missing };
    if (inPieces) await writeFirstPiece(transaction, file, companyId, author);
    else await writeRows(transaction, file, companyId, author);
    if (brought.all) await deactivateLeavers(transaction, brought, inPieces);
    return found;
  });
  if (changes !== undefined && inPieces) await writeOtherPieces(session, file, companyId, author);
  if (changes !== undefined && changes.added > 0) {
    const came = sql`select id from ${stagingTable(user)} where ${raw(ID_IS_NEW)}`;
    await session.transaction((transaction) => linkManagers(transaction, author.actor, companyId, came));
  }
  if (changes === undefined || leaving.length === 0) return changes;
  return { ...changes, keysMade: await countKeysMade(session, leaving, [companyId]) };
}

/** Locks the people whom the rows may change, ordered by id, so that transactions locking the same people cannot deadlock. */
async function lockChanging(transaction: Transaction, file: StagedFile): Promise<void> {
  const fields = Object.entries(user.fields).filter(([name]) => name !== user.id && gives(file, name));
  const differing = fields.map(([, { column }]) => raw(`s.${column} is distinct from t.${column}`));
  await transaction.query(sql`
    with locked as materialized (
      select t.id from ${stagingTable(user)} s join users t on t.id = s.id
       where s.${raw(ROLES)} is not null or ${join([sql`false`, ...differing], ' or ')}
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
  const lines = JSON.stringify(problems.told.flatMap(({ line }) => line ?? []));
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
  return new ApiError('OVERLOADED', 'Another import of this company is in progress: try again shortly.', {
    headers: { 'retry-after': '5' },
  });
}
