import type { Database, Session } from '../db/database.ts';
import { checkAgainstDatabase } from './check/folder-checks.ts';
import type { ProblemList } from './check/problems.ts';
import { identifyRows } from './match/identify-rows.ts';
import { type FileFormat, folderFormat } from './read/import-format.ts';
import type { TableSource } from './read/record-reader.ts';
import {
  analyzeStagedRows,
  assertDiskSpace,
  createStagingTables,
  dropStagingTables,
  readStagedPhones,
  type StagedFile,
  stageRows,
} from './stage/staging.ts';

/** A table to import. */
export interface Table {
  format: FileFormat;
  source: TableSource;
  /** Bytes of the file. */
  size: number;
}

/** The steps that differ between imports. */
export interface ImportSteps<Report> {
  /** Whether everything is checked, and nothing written. */
  dryRun: boolean;
  /** Prepares the session, such as locks and settings. @returns the session to use */
  prepare(session: Session): Promise<Session>;
  /** Called after each piece that is read of a table. */
  onRead?(table: Table, bytesRead: number): void;
  /** Called before and after the checks. */
  onCheck?(files: readonly StagedFile[], isDone: boolean): void;
  /** Matches the rows of a file with stored ones; absent: by {@link identifyRows}. */
  match?(session: Session, file: StagedFile, problems: ProblemList): Promise<void>;
  /** Checks what only some imports bring, once rows have their ids. */
  check?(session: Session, files: readonly StagedFile[], problems: ProblemList): Promise<void>;
  /** Whether rows are checked although others could not be read, to which they may refer. */
  checksIncomplete?: boolean;
  /** Writes the checked rows, or reports what would be written. */
  finish(session: Session, files: readonly StagedFile[], problems: ProblemList): Promise<Report>;
}

/**
 * Imports tables: reads each piece by piece into its staging table, matches the rows with the stored ones, checks them against each other
 * and the database, and calls `finish`. Targets of references must come before the tables that refer to them.
 *
 * @throws DiskLowError where the disk of an embedded database has no space for the import
 */
export async function importTables<Report>(
  db: Database,
  tables: readonly Table[],
  problems: ProblemList,
  {
    dryRun,
    prepare,
    onRead,
    onCheck,
    match = identifyRows,
    check,
    checksIncomplete = false,
    finish,
  }: ImportSteps<Report>,
): Promise<Report> {
  assertDiskSpace(
    db,
    tables.reduce((sum, { size }) => sum + size, 0),
    dryRun,
  );
  return db.session(async (shared) => {
    const session = await prepare(shared);
    try {
      // Checks query both sides of a reference, so that each entity needs its table.
      const formats = new Map(tables.map(({ format }) => [format.entity, format]));
      const entities = tables[0]?.format.entities ?? [];
      const all = entities.map((entity) => formats.get(entity) ?? folderFormat(entity, entities));
      await createStagingTables(session, all);
      const files: StagedFile[] = [];
      for (const table of tables) {
        const file = await stageRows(session, table.source, table.format, problems, ({ bytesRead }) => {
          onRead?.(table, bytesRead);
          // Once rows are missing, others are not checked any more.
          return checksIncomplete || !problems.incomplete;
        });
        if (file) files.push(file);
      }
      if (checksIncomplete || !problems.incomplete) {
        onCheck?.(files, false);
        await analyzeStagedRows(session, files);
        for (const file of files) await match(session, file, problems);
        await readStagedPhones(session, files, problems);
        await check?.(session, files, problems);
        await checkAgainstDatabase(session, files, problems);
        onCheck?.(files, true);
      }
      return await finish(session, files, problems);
    } finally {
      // Tables that cannot be dropped now go with the session, or at the start of the next import.
      await dropStagingTables(session).catch(() => undefined);
    }
  });
}
