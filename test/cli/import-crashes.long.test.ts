import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILE_NAMES } from '../../src/import/write/csv-folder.ts';
import { type CsvRow, id, makeFolder, user, validFiles } from '../import/folders.ts';
import { buildCommandLine, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { openBlankDatabase, openTestDatabase, testDatabaseKind } from '../support/test-database.ts';

/** For a longer run: `IMPORT_CRASH_ROUNDS=10`. */
const ROUNDS = Number(process.env.IMPORT_CRASH_ROUNDS ?? 2);
const PEOPLE = 1000;

const commandLine = buildCommandLine();
const server = testDatabaseKind() === 'postgres' ? await openTestDatabase() : undefined;
const DATA_DIR = join(commandLine.folder, 'data');
const settings: Settings = { DATA_DIR, ...(server?.url && { DATABASE_URL: server.url }) };
if (!server) await makeDataFolder(DATA_DIR, 'migrated');

after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** Files of which every row of the last three differs from those of any other round. */
function filesOf(round: number) {
  const numbers = Array.from({ length: PEOPLE }, (_, index) => 1000 + index);
  const booking = (number: number): CsvRow => ({
    id: `booking ${number}`,
    companyId: id(1),
    userId: id(number),
    amount: `${round}.00`,
    createdAt: '',
  });
  return makeFolder({
    'companies.csv': validFiles['companies.csv'],
    'departments.csv': validFiles['departments.csv'],
    'bands.csv': validFiles['bands.csv'],
    'users.csv': numbers.map((number) => user(number, 1, { loyaltyPoints: String(round) })),
    'system-roles.csv': numbers.map((number) => ({
      userId: id(number),
      role: round % 2 ? 'SUPER_ADMIN' : 'PLATFORM_RM',
      active: 'false',
    })),
    'bookings.csv': numbers.map(booking),
  });
}

/** What an import would do to the last three files, as told by a dry run: `added`, `changed` or `unchanged`, all rows alike. */
async function wouldBe(folder: string): Promise<string[]> {
  const { code, stdout, stderr } = await commandLine.run(['import', folder, '--dry-run'], settings);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.split('\n').slice(3, 6);
  return lines.map((line) => {
    const [, word] = new RegExp(` ${PEOPLE} (added|changed|unchanged)`).exec(line) ?? [];
    assert.ok(word, line);
    return word;
  });
}

test(`an import killed ${ROUNDS} times is stored completely or not at all, and can be repeated`, async (t) => {
  let duration = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    await using folder = await filesOf(round);
    const importing = commandLine.start(['import', folder.path], settings);
    if (round > 0) {
      await sleep(Math.random() * duration);
      await importing.kill('SIGKILL');
      const words = await wouldBe(folder.path);
      assert.equal(new Set(words).size, 1, words.join());
      if (process.env.IMPORT_CRASH_ROUNDS) t.diagnostic(`round ${round}: ${words[0]}`);
      const { code, stdout, stderr } = await commandLine.run(['import', folder.path], settings);
      assert.equal(code, 0);
      assert.match(stderr, /^Database: [^@]+\n$/);
      const counts = `(${PEOPLE} changed, 0|0 changed, ${PEOPLE}) unchanged`;
      assert.match(stdout, new RegExp(`^bookings.csv: ${PEOPLE} rows, 0 added, ${counts}$`, 'm'));
    } else {
      const { code, stderr, milliseconds } = await importing.ended;
      assert.equal(code, 0);
      assert.match(stderr, /^Database: [^@]+\n$/);
      duration = milliseconds;
      assert.deepEqual(await wouldBe(folder.path), ['unchanged', 'unchanged', 'unchanged']);
    }
  }
});

test('a killed export leaves all files or none, and can be repeated', async () => {
  await using folder = await makeFolder({});
  const csvFiles = () => readdirSync(folder.path).filter((name) => /^[^.].*\.csv$/.test(name)).length;
  for (let round = 1; round <= ROUNDS; round++) {
    const exporting = commandLine.start(['export', folder.path], settings);
    await sleep(300 + Math.random() * 700);
    await exporting.kill('SIGKILL');
    assert.ok([0, FILE_NAMES.length].includes(csvFiles()));
    if (csvFiles() === FILE_NAMES.length) return;
  }
  const { code, stderr } = await commandLine.run(['export', folder.path], settings);
  assert.deepEqual([code, stderr, csvFiles()], [0, '', FILE_NAMES.length]);
});

test('a killed backup leaves a complete file or none, and a killed restore all rows or none', async () => {
  const [file, copy] = [join(commandLine.folder, 'backup'), join(commandLine.folder, 'copy')];
  const start = (...words: string[]) => commandLine.start(words, settings);
  for (let round = 1; round <= ROUNDS; round++) {
    const backingUp = start('backup', file, '--force');
    await sleep(300 + Math.random() * 700);
    await backingUp.kill('SIGKILL');
  }
  const { code, stderr } = await start('backup', file, '--force').ended;
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(
    readdirSync(commandLine.folder).filter((name) => name.endsWith('.unfinished')),
    [],
  );

  await using blank = server ? await openBlankDatabase() : undefined;
  const other: Settings = { DATA_DIR: copy, ...(blank?.url && { DATABASE_URL: blank.url }) };
  for (let round = 1; round <= ROUNDS; round++) {
    const restoring = commandLine.start(['restore', file], other);
    await sleep(300 + Math.random() * 1000);
    await restoring.kill('SIGKILL');
    const ended = await commandLine.run(['restore', file], other);
    // Where the kill came too late, all is there already.
    if (ended.code !== 0)
      assert.match(ended.stderr, /^Nothing was restored: the database has rows in companies already/);
    const again = join(commandLine.folder, 'again');
    assert.equal((await commandLine.run(['backup', again, '--force'], other)).code, 0);
    const tables = (path: string) => JSON.parse(readFileSync(path, 'utf8').split('\n')[1] ?? '').tables;
    assert.deepEqual(tables(again), tables(file));
    if (blank)
      await blank.transaction((transaction) => transaction.run('drop schema public cascade; create schema public'));
    else rmSync(copy, { recursive: true });
  }
});
