import assert from 'node:assert/strict';
import { it } from 'node:test';
import { largestOf, stepsLeft } from '../../../web/src/pages/overview-figures.ts';

it('largestOf returns the largest figures, equal ones by name, and the number of others left', () => {
  const figure = (name: string, value: number) => ({ id: name, name, value, text: String(value), href: '/' });
  const figures = [figure('c', 1), figure('b', 5), figure('a', 5), figure('d', 9)];
  const { first, left } = largestOf(figures, 3);
  assert.deepEqual([first.map(({ name }) => name), left], [['d', 'a', 'b'], 1]);
  assert.equal(largestOf(figures, 8).left, 0);
});

it('stepsLeft lists every set-up step of a new company, and none whose state is unknown', () => {
  const made = { departments: 1, bands: 1, policies: 0, people: 1 };
  assert.deepEqual(stepsLeft(made), ['departments', 'bands', 'policies', 'people']);
  assert.deepEqual(stepsLeft({ ...made, departments: 2, policies: 1 }), ['bands', 'people']);
  const unknown = { departments: undefined, bands: undefined, policies: undefined, people: undefined };
  assert.deepEqual(stepsLeft(unknown), []);
});
