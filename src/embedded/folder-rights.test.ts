import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../lib/errors.ts';
import { lockDataFolder } from './data-folder-lock.ts';

const isWindows = process.platform === 'win32';

test('a data folder that every user can write to is refused with the command that fixes the mode', {
  skip: isWindows,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orgdesk-rights-'));
  try {
    for (const mode of [0o777, 0o1777, 0o702]) {
      await chmod(folder, mode);
      await assert.rejects(lockDataFolder(folder, { command: 'test' }), (error) => {
        assert.ok(error instanceof UserError && error.message.includes(`chmod o-w ${folder}`), String(error));
        return true;
      });
    }
    for (const mode of [0o700, 0o755, 0o770]) {
      await chmod(folder, mode);
      await using _lock = await lockDataFolder(folder, { command: 'test' });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
