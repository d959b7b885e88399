import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export type DatabaseKind = 'postgres' | 'pglite';

const FOLDERS = ['assets', 'src', 'test'];

/** These build the service without a database: they run once, next to the units of `src/` and `assets/`. */
const WITHOUT_DATABASE = ['without-database/'];
/** These are about a database server: the way to it, its roles. The embedded database has neither. */
const SERVER_ALONE = ['cli/database-away', 'cli/service-role', 'db/background-processes', 'faults/', 'server/'];
/** What the service does with the data folder that it holds, and with the database in it. */
const EMBEDDED_ALONE = ['cli/hostile-folder', 'db/embedded-deadlines', 'db/keeper'];
/** These run the program as it is installed. */
const PROGRAM = ['cli/', 'client/package', 'client/integrations'];
/**
 * These are about what is the embedded database's own (its thread and deadlines, audited writes), or send each
 * operation once: they run on both.
 */
const BOTH = [
  'audit/audited-write',
  'bookings/changes',
  'db/drivers',
  'db/notifications',
  'db/sessions',
  'db/transactions',
  'documentation/contract',
];
/** With the long files these do so too: what follows the audit trail, imports, backups, migrations, exports, and commands next to the service that holds the data folder. */
const BOTH_IN_FULL = [
  'audit/change-feed',
  'audit/retention',
  'backup/',
  'cli/commands',
  'cli/crashes',
  'cli/import-crashes',
  'cli/serve',
  'cli/start',
  'db/migrations',
  'db/disk-reserve',
  'documentation/openapi',
  'entities/',
  'import/export',
  'import/import-beside-requests',
  'import/import.test',
];

export interface Choice {
  /** Parts of paths: the files that have one of them; a long one only where its whole name is given, or with `all`. Empty: all. */
  parts: readonly string[];
  /** With the long files, and with what runs on both in full. */
  all: boolean;
  /** The one that was asked for: it runs everything that can run on it. */
  only: DatabaseKind | undefined;
}

export interface ChosenFiles {
  withoutDatabase: readonly string[];
  postgres: readonly string[];
  pglite: readonly string[];
  /** Whether one of them runs the program as it is installed. */
  needProgram: boolean;
}

/** Returns the test files that a run comprises, by what they run on, those first that take long: so all processes end at about the same time. */
export function chooseFiles({ parts, all, only }: Choice): ChosenFiles {
  const files = FOLDERS.flatMap(testFiles);
  assertNoneIsGone(files);
  const isMeant = (file: string) => parts.length === 0 || parts.some((part) => file.includes(part));
  const isNamed = (file: string) => parts.some((part) => file.endsWith(part));
  const chosen = files.filter((file) => isMeant(file) && (all || !isLong(file) || isNamed(file)));
  const takesLong = (file: string) => isLong(file) || isUnder(PROGRAM, file);
  chosen.sort((a, b) => Number(takesLong(b)) - Number(takesLong(a)));
  const withoutDatabase = chosen.filter((file) => !file.startsWith('test') || isUnder(WITHOUT_DATABASE, file));
  const behaviour = chosen.filter((file) => !withoutDatabase.includes(file));
  const own = [...EMBEDDED_ALONE, ...BOTH, ...(all ? BOTH_IN_FULL : [])];
  const embedded = behaviour.filter((file) => !isUnder(SERVER_ALONE, file));
  return {
    withoutDatabase,
    postgres: only === 'pglite' ? [] : behaviour.filter((file) => !isUnder(EMBEDDED_ALONE, file)),
    pglite: only === 'pglite' ? embedded : only === 'postgres' ? [] : embedded.filter((file) => isUnder(own, file)),
    needProgram: behaviour.some((file) => isUnder(PROGRAM, file)),
  };
}

function isLong(file: string): boolean {
  return file.endsWith('.long.test.ts');
}

function isUnder(starts: readonly string[], file: string): boolean {
  return starts.some((start) => file.startsWith(join('test', start)));
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    })
    .sort();
}

/** A file that was moved would else run in fewer places than before, and nobody would notice. */
function assertNoneIsGone(files: readonly string[]): void {
  for (const start of [...WITHOUT_DATABASE, ...SERVER_ALONE, ...EMBEDDED_ALONE, ...PROGRAM, ...BOTH, ...BOTH_IN_FULL]) {
    if (!files.some((file) => isUnder([start], file))) throw new Error(`There is no test file test/${start}…`);
  }
}
