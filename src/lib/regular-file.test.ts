import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isFileFault } from './errors.ts';
import { assertReplaceable, IrregularFileError, openRegularFile } from './regular-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-regular-'));
const path = (name: string) => join(folder, name);
execFileSync('mkfifo', [path('pipe')]);
mkdirSync(path('folder'));
symlinkSync('/dev/zero', path('device'));
symlinkSync(path('pipe'), path('link to a pipe'));
writeFileSync(path('file'), 'text');
symlinkSync(path('file'), path('link'));
symlinkSync(path('nothing'), path('dangling'));
const server = createServer().listen(path('socket'));
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const KINDS = [
  ['pipe', 'a named pipe'],
  ['link to a pipe', 'a named pipe'],
  ['folder', 'a folder'],
  ['device', 'a device'],
  ['socket', 'a socket'],
] as const;

for (const [name, kind] of KINDS) {
  test(`the irregular file "${name}" is refused for opening and for replacement without a wait`, {
    timeout: 600_000,
  }, async () => {
    const refused = (error: unknown) => {
      assert.ok(error instanceof IrregularFileError && isFileFault(error));
      assert.equal(error.message, `${path(name)} is ${kind}, and no regular file`);
      return true;
    };
    await assert.rejects(openRegularFile(path(name)), refused);
    await assert.rejects(assertReplaceable(path(name)), refused);
  });
}

test('a regular file or a link to one can be opened and replaced, and a missing one can be created', async () => {
  for (const name of ['file', 'link']) {
    await using file = await openRegularFile(path(name));
    assert.equal(await file.readFile('utf8'), 'text');
  }
  for (const name of ['file', 'link', 'dangling', 'nothing']) await assertReplaceable(path(name));
  for (const name of ['dangling', 'nothing']) await assert.rejects(openRegularFile(path(name)), { code: 'ENOENT' });
  await assert.rejects(assertReplaceable(path('file/below')), { code: 'ENOTDIR' });
});
