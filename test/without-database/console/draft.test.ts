import assert from 'node:assert/strict';
import { it } from 'node:test';
import { savedElsewhere, typedSince, valuesOf, withTyped } from '../../../web/src/parts/draft.ts';

const begun = { name: 'a', phone: '1', gender: '', city: 'x' };
const typed = withTyped(withTyped({}, begun, 'name', 'mine'), begun, 'city', 'same');

it('a draft keeps typed values, updates the other fields, and returns the values that others have saved', () => {
  const now = { name: 'theirs', phone: '2', gender: '', city: 'same' };
  assert.deepEqual(valuesOf(typed, now), { name: 'mine', phone: '2', gender: '', city: 'same' });
  const elsewhere = Object.keys(now).map((name) => savedElsewhere(typed, now, name));
  assert.deepEqual(elsewhere, ['theirs', undefined, undefined, undefined]);
  assert.equal(savedElsewhere(typed, begun, 'name'), undefined);
});

it('a draft forgets a field that is typed back to its saved value', () => {
  assert.deepEqual(withTyped(typed, begun, 'name', 'a'), { city: { typed: 'same', from: 'x' } });
});

it('a draft keeps what is typed while it is saved, relative to the values that were saved', () => {
  const now = withTyped(withTyped(typed, begun, 'name', 'mine, again'), begun, 'gender', 'F');
  assert.deepEqual(typedSince(typed, now, { ...begun, name: 'Mine', city: 'same' }), {
    name: { typed: 'mine, again', from: 'Mine' },
    gender: { typed: 'F', from: '' },
  });
});
