import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import {
  createAtomicFile,
  nameOfDraft,
  publish,
  publishIfAbsent,
  removeDrafts,
  writeAtomicFile,
} from './atomic-file.ts';
import { IrregularFileError } from './regular-file.ts';

const folders = mkdtempSync(join(tmpdir(), 'orgdesk-atomic-'));
after(() => rmSync(folders, { recursive: true }));

describe('an atomic file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(folders, 'folder-'));
    path = join(folder, 'name');
  });
  const names = () => readdirSync(folder).toSorted();

  it('an atomic file appears under its name only when it is complete', async () => {
    await using file = await createAtomicFile(path, 0o600);
    await file.append('one ');
    await file.append(Buffer.from('two'));
    assert.deepEqual(names().map(nameOfDraft), ['name']);
    await publish(file);
    assert.deepEqual(names(), ['name']);
    assert.equal(readFileSync(path, 'utf8'), 'one two');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('an atomic file replaces an older file, which is unchanged until then', async () => {
    writeFileSync(path, 'older');
    const file = await createAtomicFile(path);
    await file.append('newer');
    assert.equal(readFileSync(path, 'utf8'), 'older');
    await publish(file);
    await file[Symbol.asyncDispose]();
    assert.equal(readFileSync(path, 'utf8'), 'newer');
    await writeAtomicFile(path, 'newest');
    assert.equal(readFileSync(path, 'utf8'), 'newest');
  });

  it('an abandoned atomic file leaves no draft and keeps the older file', async () => {
    writeFileSync(path, 'older');
    const file = await createAtomicFile(path);
    await file.append('newer');
    await file[Symbol.asyncDispose]();
    assert.deepEqual([names(), readFileSync(path, 'utf8')], [['name'], 'older']);
  });

  it('publishIfAbsent publishes exactly one of several simultaneous atomic files', async () => {
    const published = await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        await using file = await createAtomicFile(path);
        await file.append(String(number));
        return await publishIfAbsent(file);
      }),
    );
    assert.equal(published.filter(Boolean).length, 1);
    assert.equal(readFileSync(path, 'utf8'), String(published.indexOf(true)));
    assert.deepEqual(names(), ['name']);
  });

  it('an atomic file replaces neither a folder nor a device, even if one appears in the meantime', async () => {
    mkdirSync(path);
    await assert.rejects(createAtomicFile(path), IrregularFileError);
    rmSync(path, { recursive: true });
    await using file = await createAtomicFile(path);
    symlinkSync('/dev/null', path);
    await assert.rejects(publish(file), IrregularFileError);
    assert.ok(statSync(path).isCharacterDevice());
  });

  it('several atomic files are published together or not at all', async () => {
    const files = await Promise.all(['a', 'b', 'c'].map((name) => createAtomicFile(join(folder, name))));
    rmSync(files[1]?.draft ?? '');
    await assert.rejects(publish(...files), { code: 'ENOENT' });
    for (const file of files) await file[Symbol.asyncDispose]();
    assert.deepEqual(names(), []);
  });

  it('the drafts of a killed process are recognised by their names and removed', async () => {
    const others = [
      'name',
      'name.0123abcd',
      'name.unfinished',
      'names.0123abcd.unfinished',
      'name.0123abcd.unfinished.x',
    ];
    for (const name of [...others, 'name.0123abcd.unfinished', 'name.ffffffff.unfinished']) {
      writeFileSync(join(folder, name), '');
    }
    await removeDrafts(path);
    assert.deepEqual(names(), others.toSorted());
    assert.deepEqual(others.map(nameOfDraft), [undefined, undefined, undefined, 'names', undefined]);
  });
});
