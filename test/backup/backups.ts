import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { listTables, selectCopyLines } from '../../src/backup/tables.ts';
import type { Database } from '../../src/db/database.ts';
import { UserError } from '../../src/lib/errors.ts';

/** A folder for backups, that disposing of it removes. */
export function backupFolder(): Disposable & { file: (name: string) => string; path: string } {
  const path = mkdtempSync(join(tmpdir(), 'orgdesk-backup-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** All rows of all tables that a backup holds, as texts in order, and the counts that the database keeps by itself. */
export async function wholeContents(db: Database): Promise<Record<string, readonly string[]>> {
  return db.transaction(async (transaction) => {
    await transaction.run(`set local timezone = 'UTC'`);
    const contents: Record<string, readonly string[]> = {};
    for (const table of await listTables(transaction)) {
      const rows = await transaction.query<{ line: string }>(selectCopyLines(table));
      contents[table.name] = rows.map(({ line }) => line).toSorted();
    }
    const counts = await transaction.query<{ line: string }>(sql`
      select concat_ws(' ', counted, company_id, sum(change)) as line from company_counts
       group by counted, company_id having sum(change) <> 0`);
    return { ...contents, company_counts: counts.map(({ line }) => line).toSorted() };
  });
}

export const refusal = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UserError, String(error));
  assert.match(error.message, pattern);
  return true;
};
