import assert from 'node:assert/strict';
import { it } from 'node:test';
import { savedElsewhere, typedSince, valuesOf, withTyped } from '../../../web/src/parts/draft.ts';

const begun = { name: 'a', phone: '1', gender: '', city: 'x' };
const typed = withTyped(withTyped({}, begun, 'name', 'mine'), begun, 'city', 'same');

it('keeps what is typed, shows untouched fields as somebody else has saved them, and names the other values', () => {
  const now = { name: 'theirs', phone: '2', gender: '', city: 'same' };
  assert.deepEqual(valuesOf(typed, now), { name: 'mine', phone: '2', gender: '', city: 'same' });
  const elsewhere = Object.keys(now).map((name) => savedElsewhere(typed, now, name));
  assert.deepEqual(elsewhere, ['theirs', undefined, undefined, undefined]);
  assert.equal(savedElsewhere(typed, begun, 'name'), undefined);
});

it('forgets a field that is typed back to its saved value', () => {
  assert.deepEqual(withTyped(typed, begun, 'name', 'a'), { city: { typed: 'same', from: 'x' } });
});

it('keeps what is typed while a draft is saved, against the values that are saved then', () => {
  const now = withTyped(withTyped(typed, begun, 'name', 'mine, again'), begun, 'gender', 'F');
  assert.deepEqual(typedSince(typed, now, { ...begun, name: 'Mine', city: 'same' }), {
    name: { typed: 'mine, again', from: 'Mine' },
    gender: { typed: 'F', from: '' },
  });
});
