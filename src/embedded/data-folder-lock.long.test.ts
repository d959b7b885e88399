import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { UserError } from '../lib/errors.ts';
import { askLockOwner } from './control-channel.ts';
import { FolderInUseError, lockDataFolder } from './data-folder-lock.ts';

let base: string;
let made = 0;
const children: ChildProcess[] = [];

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'orgdesk-lock-'));
});
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(base, { recursive: true });
});

const newFolder = () => join(base, String(made++));

function start(mode: string, folder: string): ChildProcess {
  const script = join(import.meta.dirname, '../../test/support/data-folder-holder.ts');
  const child = fork(script, [mode, folder], { execArgv: ['--import', 'tsx'] });
  children.push(child);
  return child;
}

async function startAndWait(mode: string, folder: string): Promise<ChildProcess> {
  const child = start(mode, folder);
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  assert.equal(first, mode === 'race' ? 'ready' : 'held');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Asserts that the folder cannot be locked, and returns the error. */
async function refusal(folder: string): Promise<Error> {
  const outcome = await lockDataFolder(folder, { command: 'second' }).catch((error: unknown) => error);
  assert.ok(outcome instanceof Error, 'the folder was locked a second time');
  return outcome;
}

/** Fails the test on a pause between attempts, whose length is random. */
function forbidPauses({ mock }: TestContext): void {
  mock.method(Math, 'random', () => assert.fail('A pause is made'));
}

async function writeLockFile(folder: string, content: object): Promise<string> {
  const file = join(folder, 'lock.0123456789abcdef');
  await mkdir(folder);
  await writeFile(file, JSON.stringify(content));
  return file;
}

const lockFile = { pid: process.pid, command: 'orgdesk serve', since: '2020-01-01T00:00:00.000Z', host: hostname() };

test('a lock on a missing data folder creates the folder with access for its user only', async () => {
  const folder = join(newFolder(), 'inner');
  await using _lock = await lockDataFolder(folder, { command: 'first' });
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  for (const name of await readdir(folder)) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
});

test('a second lock on a data folder in the same process throws a FolderInUseError', async () => {
  const folder = newFolder();
  await using _lock = await lockDataFolder(folder, { command: 'first' });
  const error = await refusal(folder);
  assert.ok(error instanceof FolderInUseError);
  assert.equal(error.owner.command, 'first');
});

test('the refusal of a second lock names the folder, the owner, the start time and the DATA_DIR setting', async () => {
  const folder = newFolder();
  const began = Date.now();
  const holder = await startAndWait('hold', folder);
  const error = await refusal(folder);
  assert.ok(error instanceof FolderInUseError);
  const { pid, command, since, host } = error.owner;
  assert.deepEqual({ pid, command, host }, { pid: holder.pid, command: 'test hold', host: hostname() });
  assert.ok(Date.parse(since) >= began && Date.parse(since) <= Date.now());
  for (const part of [folder, `pid ${pid}`, command, since, 'DATA_DIR']) assert.ok(error.message.includes(part), part);
  const printed: string[] = [];
  await askLockOwner(error.owner, ['a', 'b'], (text) => printed.push(text));
  assert.deepEqual(printed, [`${pid} a,b`]);
});

test('a data folder whose owner is busy or suspended stays locked, and is refused without a pause', async (t) => {
  const folder = newFolder();
  const holder = await startAndWait('block', folder);
  forbidPauses(t);
  assert.ok((await refusal(folder)) instanceof FolderInUseError);
  holder.kill('SIGSTOP');
  assert.ok((await refusal(folder)) instanceof FolderInUseError);
});

test('a data folder can be locked again after a release, and the release leaves no files', async () => {
  const folder = newFolder();
  for (let round = 0; round < 3; round++) {
    await using _lock = await lockDataFolder(folder, { command: 'again' });
    assert.equal((await readdir(folder)).length, 2);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a new process takes the lock of a killed process without a pause', async (t) => {
  const folder = newFolder();
  forbidPauses(t);
  for (let round = 0; round < 3; round++) {
    await kill(await startAndWait('hold', folder));
    await using _lock = await lockDataFolder(folder, { command: 'next' });
    assert.equal((await readdir(folder)).length, 2, 'the files of the killed process are gone');
  }
});

test('a data folder lock does not keep its process running', async () => {
  const child = start('end', newFolder());
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('when several processes race for the lock of a killed one, they own it one at a time', async () => {
  const folder = newFolder();
  await kill(await startAndWait('hold', folder));
  const racers = await Promise.all(Array.from({ length: 8 }, () => startAndWait('race', folder)));
  const ends = racers.map((racer) => once(racer, 'exit'));
  for (const racer of racers) racer.send('go');
  for (const end of await Promise.all(ends)) assert.deepEqual(end, [null, 'SIGKILL']);
  await using _lock = await lockDataFolder(folder, { command: 'last' });
});

test('exactly one of several simultaneous attempts to lock a data folder succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const folder = newFolder();
    const attempts = Array.from({ length: 6 }, (_, i) => lockDataFolder(folder, { command: `attempt ${i}` }));
    const outcomes = await Promise.allSettled(attempts);
    const locks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'fulfilled' || outcome.reason instanceof FolderInUseError);
    assert.equal(locks.length, 1);
    await locks[0]?.[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(folder), []);
  }
});

test('the lock of a dead process can be taken even if its process id is in use again', async () => {
  const folder = newFolder();
  await writeLockFile(folder, { ...lockFile, pid: process.pid });
  await using _lock = await lockDataFolder(folder, { command: 'next' });
});

test('a lock from before the last restart of the machine can be taken', async () => {
  const folder = newFolder();
  await writeLockFile(folder, { ...lockFile, bootId: 'an earlier start' });
  await using _lock = await lockDataFolder(folder, { command: 'next' });
});

test('a new lock removes old unfinished lock files and keeps recent ones', async () => {
  const folder = newFolder();
  await mkdir(folder);
  const left = ['lock.1111111111111111.sock', 'lock.2222222222222222.0123abcd.unfinished', 'lock.txt'];
  for (const name of [...left, 'lock.3333333333333333.sock']) await writeFile(join(folder, name), '');
  const longAgo = Date.now() / 1_000 - 2 * 3_600;
  for (const name of left) await utimes(join(folder, name), longAgo, longAgo);
  await (await lockDataFolder(folder, { command: 'next' }))[Symbol.asyncDispose]();
  assert.deepEqual((await readdir(folder)).sort(), ['lock.3333333333333333.sock', 'lock.txt']);
});

test('a data folder whose path is too long for a socket can be locked, and no link remains', async () => {
  const folder = join(newFolder(), 'x'.repeat(120));
  const holder = await startAndWait('hold', folder);
  const error = await refusal(folder);
  assert.ok(error instanceof FolderInUseError);
  await askLockOwner(error.owner, [], () => undefined);
  await kill(holder);
  await using _lock = await lockDataFolder(folder, { command: 'next' });
  assert.ok((await refusal(folder)) instanceof FolderInUseError);
  for (const name of await readdir(tmpdir())) {
    const target = await readlink(join(tmpdir(), name)).catch(() => undefined);
    assert.notEqual(target, folder);
  }
});

test('a lock of another machine is refused with its host name and file, and stays in place', async () => {
  const folder = newFolder();
  const file = await writeLockFile(folder, { ...lockFile, host: 'elsewhere', bootId: 'another kernel' });
  const error = await refusal(folder);
  assert.ok(error instanceof UserError && !(error instanceof FolderInUseError));
  for (const part of ['elsewhere', file]) assert.ok(error.message.includes(part), part);
  assert.deepEqual(await readdir(folder), ['lock.0123456789abcdef']);
});

test('a damaged lock file is refused with its path', async () => {
  const folder = newFolder();
  const file = await writeLockFile(folder, { ...lockFile, pid: 'none' });
  for (const content of [await readFile(file), '', '{', 'null']) {
    await writeFile(file, content);
    const error = await refusal(folder);
    assert.ok(error instanceof UserError && error.message.includes(file), error.message);
  }
});

test('a data folder that is a file is refused with its path', async () => {
  const folder = newFolder();
  await writeFile(folder, 'a file');
  const error = await refusal(folder);
  assert.ok(error instanceof UserError && error.message.includes(folder), error.message);
});
