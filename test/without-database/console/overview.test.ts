import assert from 'node:assert/strict';
import { it } from 'node:test';
import { largestOf, stepsLeft } from '../../../web/src/pages/overview-figures.ts';

it('the largest figures come first, by name where they are the same, and the others are counted', () => {
  const figure = (name: string, value: number) => ({ id: name, name, value, text: String(value), href: '/' });
  const figures = [figure('c', 1), figure('b', 5), figure('a', 5), figure('d', 9)];
  const { first, left } = largestOf(figures, 3);
  assert.deepEqual([first.map(({ name }) => name), left], [['d', 'a', 'b'], 1]);
  assert.equal(largestOf(figures, 8).left, 0);
});

it('a company as it is made has everything left to set up, and what is not known is not missing', () => {
  const made = { departments: 1, bands: 1, policies: 0, people: 1 };
  assert.deepEqual(stepsLeft(made), ['departments', 'bands', 'policies', 'people']);
  assert.deepEqual(stepsLeft({ ...made, departments: 2, policies: 1 }), ['bands', 'people']);
  const unknown = { departments: undefined, bands: undefined, policies: undefined, people: undefined };
  assert.deepEqual(stepsLeft(unknown), []);
});
