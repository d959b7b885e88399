import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { chooseFiles } from '../../support/where-files-run.ts';

const FOLDERS = readdirSync('test').filter((name) => !name.includes('.') && name !== 'clients');
const FILES = ['assets', 'src', ...FOLDERS.map((name) => `test/${name}`)].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`),
);
const isLong = (file: string) => file.endsWith('.long.test.ts');

describe('what runs where', () => {
  it('leaves no file out, the long ones with everything alone', () => {
    for (const all of [true, false]) {
      const { withoutDatabase, postgres, pglite } = chooseFiles({ parts: [], all, only: undefined });
      assert.deepEqual(
        [...new Set([...withoutDatabase, ...postgres, ...pglite])].sort(),
        FILES.filter((file) => all || !isLong(file)).sort(),
      );
      const onServer = withoutDatabase.length + postgres.length;
      assert.ok(pglite.length > 0 && pglite.length < onServer / 4);
    }
  });

  it('begins with the long files, and with those that run the program', () => {
    const chosen = chooseFiles({ parts: [], all: true, only: undefined });
    for (const files of [chosen.withoutDatabase, chosen.postgres, chosen.pglite]) {
      const first = files.findIndex((file) => !isLong(file) && !file.startsWith('test/cli/'));
      assert.ok(first > 0 && !files.slice(first).some((file) => isLong(file) || file.startsWith('test/cli/')));
    }
  });

  it('on one database is all that can run on it', () => {
    const { withoutDatabase, postgres, pglite } = chooseFiles({ parts: [], all: true, only: 'pglite' });
    assert.equal(postgres.length, 0);
    const neither = FILES.filter((file) => !withoutDatabase.includes(file) && !pglite.includes(file));
    assert.ok(
      neither.length > 0 && neither.every((file) => /^test\/(cli\/database-away|faults\/|server\/)/.test(file)),
    );
    assert.equal(chooseFiles({ parts: [], all: true, only: 'postgres' }).pglite.length, 0);
  });

  it('of a part of a path, is the files that have it, and a long one only with everything or by its whole name', () => {
    const long = 'test/db/disk-reserve.long.test.ts';
    for (const [part, all, expected] of [
      ['disk-reserve', false, []],
      ['disk-reserve', true, [long]],
      ['disk-reserve.long.test.ts', false, [long]],
      ['db/drivers', false, ['test/db/drivers.test.ts']],
    ] as const) {
      const { postgres, pglite } = chooseFiles({ parts: [part], all, only: 'pglite' });
      assert.deepEqual([postgres, pglite], [[], expected]);
    }
  });
});
