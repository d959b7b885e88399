import { after, describe, it } from 'node:test';
import { openAdministration } from './administration.ts';
import { RACES } from './long/races.ts';
import { WRITER_RACES } from './long/writers.ts';

/** `npm run long -- administration` does many more. */
const ROUNDS = 6;

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());

describe('the rules of administration at the same moment', () => {
  for (const [name, race] of Object.entries({ ...RACES, ...WRITER_RACES })) {
    it(name, async () => void (await race(administration, ROUNDS)));
  }
});
