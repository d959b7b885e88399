import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { MUTATIONS } from '../../mutations/mutations.ts';

it('each rule that npm run long -- mutations breaks is still in its file', () => {
  const gone = MUTATIONS.filter(({ file, found }) => !readFileSync(file, 'utf8').includes(found));
  assert.deepEqual(
    gone.map(({ rule, file }) => `${file}: ${rule}`),
    [],
  );
});
