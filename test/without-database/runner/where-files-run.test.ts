import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { chooseFiles } from '../../support/where-files-run.ts';

const FOLDERS = readdirSync('test').filter((name) => !name.includes('.') && name !== 'clients');
const FILES = ['assets', 'src', ...FOLDERS.map((name) => `test/${name}`)].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'))
    .map((file) => `${folder}/${file}`),
);
const isLong = (file: string) => file.endsWith('.long.test.ts');

describe('what runs where', () => {
  it('the choice of test files omits none, except the long ones unless all are requested', () => {
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

  it('the choice of test files puts the long files and those of the program first', () => {
    const chosen = chooseFiles({ parts: [], all: true, only: undefined });
    for (const files of [chosen.withoutDatabase, chosen.postgres, chosen.pglite]) {
      const first = files.findIndex((file) => !isLong(file) && !file.startsWith('test/cli/'));
      assert.ok(first > 0 && !files.slice(first).some((file) => isLong(file) || file.startsWith('test/cli/')));
    }
  });

  it('the choice of test files for one database contains every file that can run on that database', () => {
    const { withoutDatabase, postgres, pglite } = chooseFiles({ parts: [], all: true, only: 'pglite' });
    assert.equal(postgres.length, 0);
    const neither = FILES.filter((file) => !withoutDatabase.includes(file) && !pglite.includes(file));
    assert.ok(
      neither.length > 0 &&
        neither.every((file) =>
          /^test\/(cli\/(database-away|service-role)|db\/background-processes|faults\/|server\/)/.test(file),
        ),
    );
    assert.equal(chooseFiles({ parts: [], all: true, only: 'postgres' }).pglite.length, 0);
  });

  it('the choice of test files by a part of a path contains a long file only with all or by name', () => {
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
