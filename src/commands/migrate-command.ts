import { migrate, pendingMigrations } from '../db/migrator.ts';
import type { Command, Output } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  parameters: [],
  options: [{ name: 'dry-run', summary: 'show what would be done, and who would wait how long; change nothing' }],
  summary: "bring the database's schema up to date",
  needsDatabase: (options) => options['dry-run'] === true,
  writes: true,
  async act({ db }, _values, { print }, options) {
    if (options['dry-run']) return db.session((session) => describePending(session, print));
    const applied = await migrate(db, { announce: print });
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
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
