import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openAdministration } from '../administration/administration.ts';
import { compareFigures } from './exact-figures.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());

describe('spending and an independent sum of 100,000 bookings', () => {
  for (const [index, timeZone] of ['Asia/Kolkata', 'America/New_York', 'Pacific/Auckland'].entries()) {
    it(`departments/spending and companies/spending return what an independent sum does, in ${timeZone}`, async () => {
      const figures = await compareFigures(administration, { timeZone, bookings: 33_334, seed: index + 7 });
      assert.ok(figures > 600, String(figures));
    });
  }
});
