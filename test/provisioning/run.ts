import { runParts } from '../support/run-parts.ts';
import { tryEnds } from './ends.ts';
import { tryFollowers } from './followers.ts';
import { tryKills } from './kills.ts';
import { searchSecrets } from './secrets.ts';
import { recordBookings, sendJoiners, synchroniseFirst } from './throughput.ts';

/* The proofs of provisioning that take long, on the service as it is installed. `--seconds 30 --rounds 2 --people 50` for less. */
await runParts({
  name: 'provisioning',
  title: 'Provisioning',
  full: { seconds: 300, rounds: 20, people: 1000 },
  parts: ({ seconds, rounds, people }) => ({
    ends: (kind) => tryEnds(kind, rounds),
    followers: (kind) => tryFollowers(kind, seconds),
    kills: (kind) => tryKills(kind, rounds),
    secrets: searchSecrets,
    joiners: (kind) => sendJoiners(kind, people),
    synchronisation: (kind) => synchroniseFirst(kind, people * 8),
    bookings: (kind) => recordBookings(kind, rounds),
  }),
});
