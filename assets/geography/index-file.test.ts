import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isIndexFresh } from './index-file.ts';

it('the index that is checked in is what its sources make: npx tsx assets/geography/index-file.ts', () => {
  assert.ok(isIndexFresh());
});
