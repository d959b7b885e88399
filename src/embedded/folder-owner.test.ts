import assert from 'node:assert/strict';
import { chown, lchown, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UserError } from '../lib/errors.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { assertOwner, describeRights } from './folder-owner.ts';

const user = process.geteuid?.();
const skip = user === undefined;
const folder = await mkdtemp(join(tmpdir(), 'orgdesk-owner-'));
after(() => rm(folder, { recursive: true }));

const refused = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UserError && words.test(error.message), String(error));
  return true;
};

test("the data folder of another user is refused with the command to use, and the user's own folder is accepted", {
  skip,
}, async () => {
  await assertOwner(folder, 'orgdesk token');
  const another = (user ?? 0) + 4711;
  await assert.rejects(
    assertOwner(folder, 'orgdesk token', another),
    refused(/belongs to \S+, .*\n {2}(sudo -u|setpriv) .* orgdesk token …$/),
  );
});

test('root gets a command that keeps the environment for the data folder of another user', {
  skip: user !== 0,
}, async () => {
  const mine = join(folder, 'of another');
  await mkdir(mine);
  await chown(mine, 12_345, 12_346);
  await assert.rejects(
    assertOwner(mine, 'orgdesk token'),
    refused(/setpriv --reuid=12345 --regid=12346 --clear-groups orgdesk token …$/),
  );
  await chown(mine, 1, 1);
  await assert.rejects(assertOwner(mine, 'orgdesk token'), refused(/runuser -u \w+ -- orgdesk token …$/));
});

test('root neither opens nor creates a database in the data folder of another user', {
  skip: user !== 0,
}, async () => {
  for (const made of [true, false]) {
    const data = join(folder, `data ${made}`);
    const database = join(data, 'postgres');
    await mkdir(made ? database : data, { recursive: true });
    if (made) await writeFile(join(database, 'PG_VERSION'), '17\n');
    for (const name of ['', ...(await readdir(data, { recursive: true }))])
      await lchown(join(data, name), 12_345, 12_345);
    const look = async () => {
      const names = ['', ...(await readdir(data, { recursive: true }))].sort();
      return Promise.all(names.map(async (name) => [name, (await lstat(join(data, name))).uid]));
    };
    const before = await look();
    await assert.rejects(
      openEmbeddedDatabase(data, { command: 'orgdesk backup' }),
      refused(/belongs to 12345.* orgdesk backup …$/s),
    );
    assert.deepEqual(await look(), before);
  }
});

test('an unreadable database is reported with its owner, its file mode and a command to try', {
  skip,
}, async () => {
  const broken = join(folder, 'broken');
  await mkdir(join(broken, 'base'), { recursive: true, mode: 0o700 });
  await writeFile(join(broken, 'base', 'pg_internal.init'), '', { mode: 0o400 });
  assert.match(
    await describeRights(broken),
    /^It belongs to \S+ \(mode 0700\), and this is run by \S+\. .*pg_internal\.init belongs to \S+ \(mode 0400\): try `chown -R \S+ .*broken && chmod/,
  );
});
