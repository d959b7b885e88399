import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { type BackupHeader, FIRST_LINE, LAST_LINE } from '../../src/backup/backup-format.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { UserError } from '../../src/lib/errors.ts';
import { openBlankDatabase, openDemoDatabase, openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { backupFolder, wholeContents } from './backups.ts';

const CORRUPT = /is not as it was written/;
const REFUSED = /^Nothing was restored: the database refuses rows of /;
const NEWER = /restore it with a newer orgdesk/;
/** Where it is left to the database who finds out. */
const EITHER = /is not as it was written|refuses rows/;
const OTHER_TABLES = /has other tables than schema version \d+/;

/** What a file says that no orgdesk has written, though its checksum is right. */
interface Crafted {
  header?: (header: BackupHeader) => unknown;
  /** The whole second line, in the place of a header. */
  headerLine?: Buffer;
  rows?: (rows: Buffer) => Buffer;
  /** Changes the rows when they are compressed. */
  gzipped?: (bytes: Buffer) => Buffer;
}

const folder = backupFolder();
const file = folder.file('crafted');
let good: { header: BackupHeader; rows: Buffer };
let blank: TestDatabase;
let migrated: TestDatabase;
let empty: Awaited<ReturnType<typeof wholeContents>>;

before(async () => {
  await using source = await openDemoDatabase();
  await writeBackup(source, folder.file('good'));
  const bytes = readFileSync(folder.file('good'));
  const start = bytes.indexOf('\n', FIRST_LINE.length) + 1;
  const header = JSON.parse(bytes.toString('utf8', FIRST_LINE.length, start));
  good = { header, rows: gunzipSync(bytes.subarray(start, -LAST_LINE)) };
  blank = await openBlankDatabase();
  migrated = await openTestDatabase();
  empty = await wholeContents(migrated);
});
after(async () => {
  await blank?.[Symbol.asyncDispose]();
  await migrated?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function craft({ header, headerLine, rows = (same) => same, gzipped = (same) => same }: Crafted): Buffer {
  const line = headerLine ?? Buffer.from(JSON.stringify(header?.(good.header) ?? good.header));
  const bytes = Buffer.concat([Buffer.from(FIRST_LINE), line, Buffer.from('\n'), gzipped(gzipSync(rows(good.rows)))]);
  return Buffer.concat([bytes, Buffer.from(`${createHash('sha256').update(bytes).digest('hex')}\n`)]);
}

/** Restores it, which must be refused in one clear sentence. */
async function refuses(db: TestDatabase, crafted: Crafted, pattern: RegExp): Promise<void> {
  writeFileSync(file, craft(crafted));
  const error: unknown = await restoreBackup(db, file).then(
    () => assert.fail('restored'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UserError, error instanceof Error ? (error.stack ?? error.message) : String(error));
  assert.match(error.message, pattern);
  assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}\ufffd]/u);
}

const changing = (change: object) => ({ header: (header: BackupHeader) => ({ ...header, ...change }) });

/** Rows of the header changed, by the name of their table. */
const counting = (change: Record<string, (rows: number) => unknown>): Crafted => ({
  header: (header) => ({
    ...header,
    tables: header.tables.map((table) => ({ ...table, rows: change[table.name]?.(table.rows) ?? table.rows })),
  }),
});

const shaping = (change: (tables: BackupHeader['tables']) => unknown): Crafted => ({
  header: (header) => ({ ...header, tables: change(header.tables) }),
});

/** The first line with this text, changed. */
const inLine = (text: string, change: (line: string) => string | Buffer): Crafted => ({
  rows: (rows) => {
    const start = rows.lastIndexOf('\n', rows.indexOf(text)) + 1;
    const end = rows.indexOf('\n', start) + 1;
    const changed = Buffer.from(change(rows.toString('utf8', start, end)) as string);
    return Buffer.concat([rows.subarray(0, start), changed, rows.subarray(end)]);
  },
});

const KINDS: readonly [name: string, crafted: Crafted, pattern: RegExp][] = [
  ['bytes that are not gzip', { gzipped: (bytes) => Buffer.alloc(bytes.length, 'x') }, CORRUPT],
  ['nothing compressed', { gzipped: () => Buffer.alloc(0) }, CORRUPT],
  ['gzip that is cut off', { gzipped: (bytes) => bytes.subarray(0, -20) }, CORRUPT],
  ['gzip with a bad checksum', { gzipped: (bytes) => bytes.fill(0, bytes.length - 8) }, CORRUPT],
  ['broken gzip', { gzipped: (bytes) => bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 50) }, EITHER],
  ['zeros after gzip', { gzipped: (bytes) => Buffer.concat([bytes, Buffer.alloc(100)]) }, CORRUPT],
  ['text after gzip', { gzipped: (bytes) => Buffer.concat([bytes, Buffer.from('and more')]) }, CORRUPT],
  ['more gzip', { gzipped: (bytes) => Buffer.concat([bytes, gzipSync('x\n')]) }, CORRUPT],
  ['rows too many', { rows: (rows) => Buffer.concat([rows, Buffer.from('x\n')]) }, CORRUPT],
  ['half a row too many', { rows: (rows) => Buffer.concat([rows, Buffer.from('x')]) }, CORRUPT],
  ['rows too few', { rows: (rows) => rows.subarray(0, rows.lastIndexOf('\n', rows.length - 2) + 1) }, CORRUPT],
  ['a row without an end', { rows: (rows) => Buffer.concat([Buffer.alloc(40_000_000, 'x'), rows]) }, CORRUPT],
  ['a header that is no JSON', { headerLine: Buffer.from('{') }, CORRUPT],
  ['a header that is a list', { headerLine: Buffer.from('[]') }, CORRUPT],
  ['a header of many brackets', { headerLine: Buffer.alloc(900_000, '[') }, CORRUPT],
  ['a header without an end', { headerLine: Buffer.alloc(2_000_000, ' ') }, CORRUPT],
  ['a header that is not UTF-8', { headerLine: Buffer.from('{"schemaVersion":"\xff"}', 'latin1') }, CORRUPT],
  ['a negative schema version', changing({ schemaVersion: -1 }), CORRUPT],
  ['schema version 0', changing({ schemaVersion: 0 }), CORRUPT],
  ['a schema version that is not whole', changing({ schemaVersion: 8.5 }), CORRUPT],
  ['a schema version past all whole numbers', changing({ schemaVersion: 1e300 }), CORRUPT],
  ['a schema version in quotes', changing({ schemaVersion: '9' }), CORRUPT],
  ['no schema version', changing({ schemaVersion: undefined }), CORRUPT],
  ['a schema version to come', changing({ schemaVersion: Number.MAX_SAFE_INTEGER }), NEWER],
  [
    'tables of another schema version',
    changing({ schemaVersion: 1 }),
    /other tables|into a new database|cannot bring up to date/,
  ],
  ['a time that is none', changing({ takenAt: 'yesterday' }), CORRUPT],
  ['a time that moves the cursor', changing({ takenAt: '\u001b[2J' }), CORRUPT],
  ['a negative count', counting({ users: (rows) => -rows }), CORRUPT],
  ['a count that is not whole', counting({ users: (rows) => rows + 0.5 }), CORRUPT],
  ['a count too high', counting({ audit_personal_values: (rows) => rows + 1 }), REFUSED],
  [
    'a count of more rows than there are bytes',
    counting({ audit_personal_values: () => Number.MAX_SAFE_INTEGER }),
    EITHER,
  ],
  ['a count too low', counting({ audit_personal_values: (rows) => rows - 1 }), REFUSED],
  [
    'counts that put a row into the next table',
    counting({ companies: (rows) => rows - 1, departments: (rows) => rows + 1 }),
    REFUSED,
  ],
  ['tables in another order', shaping((tables) => tables.toReversed()), OTHER_TABLES],
  ['an unknown table', shaping((tables) => [...tables, { name: 'x', columns: ['y'], rows: 0 }]), OTHER_TABLES],
  ['a table that is not backed up', shaping((tables) => [...tables, MIGRATIONS]), OTHER_TABLES],
  ['a table twice', shaping((tables) => [...tables, tables[0]]), OTHER_TABLES],
  ['a table too few', shaping((tables) => tables.slice(0, -1)), OTHER_TABLES],
  ['no table', shaping(() => []), OTHER_TABLES],
  ['tables that are none', shaping(() => [1]), CORRUPT],
  ['other columns', shaping((tables) => tables.map((table) => ({ ...table, columns: ['id'] }))), OTHER_TABLES],
  [
    'rows that are not UTF-8',
    inLine('Acme', (line) => Buffer.from(line.replace('Acme', 'Acm\xe9'), 'latin1')),
    CORRUPT,
  ],
  ['half a surrogate pair', inLine('Acme', (line) => withBytes(line, [0xed, 0xa0, 0x80])), CORRUPT],
  ['a NUL in a row', inLine('Acme', (line) => line.replace('Acme', '\0')), REFUSED],
  ['a row with a value too few', inLine('Acme', (line) => line.slice(line.indexOf('\t') + 1)), REFUSED],
  ['a row with a value too many', inLine('Acme', (line) => line.replace('\t', '\tx\t')), REFUSED],
  ['a value that is not of its type', inLine('Acme', (line) => `x${line}`), REFUSED],
  ['a value that moves the cursor', inLine('Acme', (line) => `\u001b[2J${line}`), REFUSED],
  [
    'a reference to nothing',
    inLine('admin@acme', (line) => line.replaceAll(/\t[0-9a-f]{8}-/g, '\t00000000-')),
    REFUSED,
  ],
  ['a row twice', { ...counting({ companies: (n) => n + 1 }), ...inLine('Acme', (line) => line + line) }, REFUSED],
  ['a line that ends COPY', inLine('Acme', () => '\\.\n'), EITHER],
  [
    'a line that ends COPY, and one row fewer',
    {
      ...counting({ audit_personal_values: (rows) => rows + 1 }),
      rows: (rows) => Buffer.concat([rows, Buffer.from('\\.\n')]),
    },
    EITHER,
  ],
  ['a row in two lines', inLine('Acme', (line) => line.replace('Acme', '\\\n')), EITHER],
];

const MIGRATIONS = { name: 'schema_version', columns: ['version'], rows: 0 };

/** The line with these bytes in the place of a word. */
function withBytes(line: string, bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = line.split('Acme');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

describe('restoring a crafted backup with the right checksum', () => {
  it('a restore of a crafted backup with a true header and the right checksum succeeds', async () => {
    writeFileSync(file, craft({}));
    await using db = await openBlankDatabase();
    const { tables } = await restoreBackup(db, file);
    assert.deepEqual(tables, good.header.tables);
  });

  for (const [name, crafted, pattern] of KINDS) {
    it(`a restore of a crafted backup with ${name} is refused, and leaves no row`, async () => {
      await refuses(migrated, crafted, pattern);
      assert.deepEqual(await wholeContents(migrated), empty);
    });
  }

  it('a refused restore of a crafted backup into a blank database leaves no schema', async () => {
    for (const name of ['text after gzip', 'tables in another order', 'a line that ends COPY']) {
      const [, crafted = {}] = KINDS.find(([kind]) => kind === name) ?? [];
      await refuses(blank, crafted, /./);
      const tables = sql`select from pg_class where relnamespace = current_schema()::regnamespace`;
      assert.equal((await blank.query(tables)).length, 0);
    }
  });
});
