import type { BackupHeader } from '../backup/backup-format.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import type { Command } from './command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  parameters: ['FILE'],
  summary: 'load a backup into a database without companies and people: all of it, or nothing',
  details: 'The database may be embedded or a server, whichever the backup was made of.',
  writes: true,
  async act({ db }, [file = ''], { print, progress }) {
    const restored = await restoreBackup(db, file, {
      onBegin: (header) => print(`Restoring ${formatRows(header)} …`),
      onProgress: ({ table, done, total }) => progress({ step: `loading ${table}`, done, total, unit: 'rows' }),
    });
    print(`Restored ${formatRows(restored)}, as they were at ${restored.takenAt}.`);
  },
};

/** Returns the size of a backup: `170000 rows of 15 tables, schema version 9`. */
export function formatRows({ tables, schemaVersion }: BackupHeader): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables, schema version ${schemaVersion}`;
}
