import { writeBackup } from '../backup/write-backup.ts';
import type { Command } from './command.ts';
import { formatRows } from './restore-command.ts';

export const backupCommand: Command = {
  name: 'backup',
  parameters: ['FILE'],
  options: [{ name: 'force', summary: 'replace the file where it is there already' }],
  summary: 'write all data into one file, of one moment, while the service goes on',
  details: 'Settings and secrets are not in the file. It holds personal data, and its owner alone can read it.',
  needsDatabase: () => true,
  async act({ db }, [file = ''], { print, progress }, options) {
    const written = await writeBackup(db, file, {
      force: options.force === true,
      onProgress: ({ table, done, total }) => progress({ step: `writing ${table}`, done, total, unit: 'rows' }),
    });
    print(`${file}: ${formatRows(written)}, ${(written.bytes / 1e6).toFixed(1)} MB`);
  },
};
