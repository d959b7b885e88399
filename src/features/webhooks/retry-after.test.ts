import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondsToWait } from './webhook-client.ts';

const NOW = new Date('2026-10-21T07:27:00.000Z');

describe('Retry-After', () => {
  const READ: readonly (readonly [given: string, seconds: number | undefined])[] = [
    ['60', 60],
    [' 7 ', 7],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 60],
    ['Wednesday, 21-Oct-26 07:28:00 GMT', 60],
    ['Wed Oct 21 07:28:00 2026', 60],
    ['Wed Oct  7 07:28:00 2026', undefined],
    ['Wed, 21 Oct 2026 07:27:00 GMT', undefined],
    ['Tue, 20 Oct 2026 07:28:00 GMT', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['2026-10-21T07:28:00Z', undefined],
    ['Wed, 99 Oct 2026 07:28:00 GMT', undefined],
    ['soon', undefined],
    ['', undefined],
  ];
  for (const [given, seconds] of READ) {
    it(`the Retry-After header "${given}" makes a webhook wait for ${seconds ?? 'no'} seconds`, () => {
      assert.equal(secondsToWait({ 'retry-after': given }, NOW), seconds);
    });
  }

  it('a response without Retry-After makes a webhook wait for no seconds', () => {
    assert.equal(secondsToWait({}, NOW), undefined);
  });
});
