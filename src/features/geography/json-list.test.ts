import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_END, openJsonList, writeJsonList } from './json-list.ts';

const items = [
  { id: 1, name: 'Bogotá' },
  { id: 2, name: 'Say "hi" \\ 😀' },
  { id: 3, name: 'c' },
];
const list = openJsonList(
  writeJsonList(
    'Things retrieved',
    items.map((item) => JSON.stringify(item)),
  ),
);
const answer = (data: unknown[]) => JSON.stringify({ success: true, message: 'Things retrieved', data });

test('the JSON list returns all items as one response', () => {
  assert.equal(list.all.toString(), answer(items));
  assert.equal(list.length, 3);
});

test('the JSON list returns picked items in the order of the given rows', () => {
  const pick = (...rows: number[]) => list.pick(Uint32Array.from(rows), list.head, LIST_END).toString();
  assert.equal(pick(2, 1), answer([items[2], items[1]]));
  assert.equal(pick(0, 2), answer([items[0], items[2]]));
  assert.equal(pick(2), answer([items[2]]));
  assert.equal(pick(), answer([]));
  assert.equal(pick(0, 1, 2), answer(items));
  assert.equal(
    list.pick(Uint32Array.of(0), Buffer.from('['), '],"more":true}').toString(),
    '[{"id":1,"name":"Bogotá"}],"more":true}',
  );
  assert.equal(list.pick(Uint32Array.of(1), Buffer.from(','), '').toString(), `,${JSON.stringify(items[1])}`);
});

test('the JSON list returns the items between two indexes', () => {
  const between = (from: number, to: number) => list.between(from, to, list.head, LIST_END).toString();
  assert.deepEqual([between(0, 3), between(1, 3), between(1, 2)], [items, items.slice(1), [items[1]]].map(answer));
  assert.deepEqual([between(0, 0), between(3, 3)], [answer([]), answer([])]);
});

test('the JSON list adds more fields to picked items on request', () => {
  const more = (row: number) => `"place":${row},"of":"ü"`;
  const wider = [2, 0].map((row) => ({ ...items[row], place: row, of: 'ü' }));
  assert.equal(list.pick(Uint32Array.of(2, 0), list.head, LIST_END, more).toString(), answer(wider));
  assert.equal(list.pick(Uint32Array.of(), list.head, LIST_END, more).toString(), answer([]));
  assert.equal(list.pick(Uint32Array.of(0), Buffer.from(','), '', more).toString(), `,${JSON.stringify(wider[1])}`);
});

test('the JSON list without items returns an empty response', () => {
  const empty = openJsonList(writeJsonList('Things retrieved', []));
  assert.equal(empty.all.toString(), answer([]));
  assert.equal(empty.pick(new Uint32Array(0), empty.head, LIST_END).toString(), answer([]));
});
