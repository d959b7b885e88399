import type { BackupHeader } from '../backup/backup-format.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { migrate, pendingMigrations } from '../db/migrator.ts';
import { readPhonesOnce } from '../import/stage/staging.ts';
import { UserError } from '../lib/errors.ts';
import { CHECKS, type Finding } from './check/checks.ts';
import { grantRights } from './check/service-rights.ts';
import type { Command, Output } from './command.ts';
import { explainError } from './explain-error.ts';

export const checkCommand: Command = {
  name: 'check',
  parameters: [],
  summary:
    'check settings, database, schema, approval policies, rights, geography, identity provider, proxy, disk and clock',
  details:
    'Prints a line for each: ok, note (it works, but may not be intended) or wrong, with what to do. Exits with 1 if anything is wrong, ' +
    'or if the database cannot be opened. Changes nothing.',
  async act(context, _values, { print }) {
    const faultOf = (error: unknown): Finding => {
      const cause = explainError(error, context.config);
      return {
        state: 'wrong',
        text: `could not be looked at (${cause instanceof Error ? cause.message : String(cause)})`,
      };
    };
    let faults = 0;
    for (const [name, check] of Object.entries(CHECKS)) {
      const { state, text } = await Promise.resolve(check(context)).catch(faultOf);
      if (state === 'wrong') faults += 1;
      print(`${state.padEnd(5)}  ${name}: ${text}`);
    }
    if (faults > 0) throw new UserError(`${faults} ${faults === 1 ? 'thing is' : 'things are'} not right.`);
  },
};

export const migrateCommand: Command = {
  name: 'migrate',
  parameters: [],
  options: [
    { name: 'dry-run', summary: 'show the pending migrations and how long requests would wait; change nothing' },
  ],
  summary: 'migrate the schema of the database',
  details: 'With SERVICE_ROLE it also grants that role the rights of the service.',
  makesDatabase: true,
  writes: true,
  async act({ db, config }, _values, { print }, options) {
    if (options['dry-run']) return db.session((session) => describePending(session, print));
    const applied = await migrate(db, { announce: print });
    await readPhonesOnce(db, applied);
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
    if (config.serviceRole === undefined) return;
    await grantRights(db, config.serviceRole, config);
    print(`The role ${config.serviceRole} has the rights of the service.`);
  },
};

async function describePending(db: Parameters<typeof pendingMigrations>[0], print: Output['print']): Promise<void> {
  const { present, pending } = await pendingMigrations(db);
  if (pending.length === 0) return print('The schema is up to date.');
  print(
    present === 0
      ? 'The database has no schema yet. To be applied:'
      : `The schema has version ${present}. To be applied:`,
  );
  for (const { name, does, seconds } of pending) {
    print(`  ${name}: ${does}${seconds > 0 ? ` (some ${seconds} s)` : ''}`);
  }
  if (present === 0) return print('Nobody waits: there is nothing yet.');
  const seconds = pending.reduce((sum, each) => sum + each.seconds, 0);
  print(
    'All of them run in one transaction, or none. It locks every table at its start, so that requests behind a token, imports and backups wait ' +
      `until it is done, some ${Math.max(seconds, 1)} s by an estimate from the number of rows, and get a 503 where that is longer than they wait; the public lists go on. Nothing has been changed.`,
  );
}

export const backupCommand: Command = {
  name: 'backup',
  parameters: ['FILE'],
  options: [{ name: 'force', summary: 'replace an existing file' }],
  summary: 'write all data of one moment into one file, while the service runs',
  details: 'Settings and secrets are not in the file. It contains personal data, and only its owner can read it.',
  async act({ db }, [file = ''], { print, progress }, options) {
    const written = await writeBackup(db, file, {
      force: options.force === true,
      onProgress: ({ table, done, total }) => progress({ step: `writing ${table}`, done, total, unit: 'rows' }),
    });
    print(`${file}: ${formatRows(written)}, ${(written.bytes / 1e6).toFixed(1)} MB`);
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  parameters: ['FILE'],
  summary: 'load a backup into a database without companies and people, completely or not at all',
  details: 'The database may be embedded or a server, independent of the source of the backup.',
  makesDatabase: true,
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
function formatRows({ tables, schemaVersion }: BackupHeader): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables, schema version ${schemaVersion}`;
}
