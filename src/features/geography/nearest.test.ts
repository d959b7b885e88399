import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_NEAREST, nearestFinder } from './nearest.ts';

const UNKNOWN = -(2 ** 31);
const positions = [
  [0, 0],
  [0, 10],
  [50, 179.9],
  [50, -179.8],
  [89.9, 0],
  [-33.9, 151.2],
  [Number.NaN, Number.NaN],
] as const;
const column = (index: 0 | 1) =>
  Int32Array.from(positions, (position) =>
    Number.isNaN(position[index]) ? UNKNOWN : Math.round(position[index] * 1e7),
  );
const nearest = nearestFinder(column(0), column(1), UNKNOWN);

it('nearestFinder orders locations by distance, also across the date line and the pole', () => {
  const found = (latitude: number, longitude: number) => [...nearest({ latitude, longitude }, undefined)];
  assert.deepEqual(found(1, 2).slice(0, 2), [0, 1]);
  assert.deepEqual(found(50, 179.95).slice(0, 2), [2, 3]);
  assert.deepEqual(found(50, -179.9).slice(0, 2), [3, 2]);
  assert.equal(found(89.9, 180)[0], 4);
  assert.equal(found(-90, 0)[0], 5);
  assert.deepEqual(found(0, 0).toSorted(), [0, 1, 2, 3, 4, 5]);
});

it('nearestFinder returns a city before the nearest of its quarters, if both are among the given rows', () => {
  const find = nearestFinder(Int32Array.of(0, 1e5, 3e5), new Int32Array(3), UNKNOWN, { 0: 2 });
  const from = { latitude: 0, longitude: 0 };
  assert.deepEqual([...find(from, undefined)], [2, 0, 1]);
  assert.deepEqual([...find(from, Uint32Array.of(0, 1))], [0, 1]);
});

it('nearestFinder returns the nearest of the given rows, up to the maximum', () => {
  assert.deepEqual([...nearest({ latitude: 0, longitude: 1 }, Uint32Array.of(6, 5, 1))], [1, 5]);
  const many = Int32Array.from({ length: 500 }, (_, row) => row * 1e6);
  const around = nearestFinder(many, new Int32Array(500), UNKNOWN)({ latitude: 0, longitude: 0 }, undefined);
  assert.deepEqual(
    [...around],
    Array.from({ length: MAX_NEAREST }, (_, row) => row),
  );
});
