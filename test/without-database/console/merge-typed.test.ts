import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mergeTyped } from '../../../web/src/parts/merge-typed.ts';

it('what is typed stays, untouched fields take what somebody else has saved, and the rest is told', () => {
  const begun = { name: 'a', phone: '1', gender: '', city: 'x' };
  const typed = { ...begun, name: 'mine', city: 'same' };
  assert.deepEqual(mergeTyped(typed, begun, { name: 'theirs', phone: '2', gender: '', city: 'same' }), {
    typed: { name: 'mine', phone: '2', gender: '', city: 'same' },
    elsewhere: { name: 'theirs' },
  });
  assert.deepEqual(mergeTyped(typed, begun, begun), { typed, elsewhere: {} });
});
