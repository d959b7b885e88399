import { parseArgs } from 'node:util';
import { runParts } from '../support/run-parts.ts';
import { tryEnds } from './ends.ts';
import { tryFollowers } from './followers.ts';
import { tryKills } from './kills.ts';
import { searchSecrets } from './secrets.ts';
import { recordBookings, sendJoiners } from './throughput.ts';

/*
 * The proofs of provisioning that take long, on the service as it is installed, on both databases; ends with 1 where it does not hold its
 * promises. `--only ends` runs one part, `--database server` on one database, `--seconds 30 --rounds 2` for less.
 */
const FULL = { seconds: '300', rounds: '20', people: '1000' };
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    database: { type: 'string' },
    seconds: { type: 'string', default: FULL.seconds },
    rounds: { type: 'string', default: FULL.rounds },
    people: { type: 'string', default: FULL.people },
  },
});
const [seconds, rounds, people] = [Number(values.seconds), Number(values.rounds), Number(values.people)];

const parts = {
  ends: (kind) => tryEnds(kind, rounds),
  followers: (kind) => tryFollowers(kind, seconds),
  kills: (kind) => tryKills(kind, rounds),
  secrets: searchSecrets,
  joiners: (kind) => sendJoiners(kind, people),
  bookings: (kind) => recordBookings(kind, rounds),
} satisfies Parameters<typeof runParts>[0]['parts'];
const isFull = Object.entries(FULL).every(([name, value]) => values[name as keyof typeof FULL] === value);
await runParts(
  { name: 'provisioning', title: 'Provisioning', parts },
  { ...values, database: values.database, isFull },
);
