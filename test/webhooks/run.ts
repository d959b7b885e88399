import { parseArgs } from 'node:util';
import { runParts } from '../support/run-parts.ts';
import { tryFailing } from './failing.ts';
import { tryKills } from './kills.ts';
import { tryLoad } from './load.ts';

/*
 * The proofs of webhooks that take long, on the service as it is installed, on both databases; ends with 1 where it does not hold its
 * promises. `--only kills` runs one part, `--database server` on one database, `--seconds 30 --rounds 2 --changes 100` for less.
 */
const FULL = { seconds: '300', rounds: '50', changes: '1000' };
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    database: { type: 'string' },
    seconds: { type: 'string', default: FULL.seconds },
    rounds: { type: 'string', default: FULL.rounds },
    changes: { type: 'string', default: FULL.changes },
  },
});
const [seconds, rounds, changes] = [Number(values.seconds), Number(values.rounds), Number(values.changes)];

const parts = {
  kills: (kind) => tryKills(kind, { rounds, changes }),
  load: (kind) => tryLoad(kind, seconds),
  failing: (kind) => tryFailing(kind, seconds),
} satisfies Parameters<typeof runParts>[0]['parts'];
const isFull = Object.entries(FULL).every(([name, value]) => values[name as keyof typeof FULL] === value);
await runParts({ name: 'webhooks', title: 'Webhooks', parts }, { ...values, database: values.database, isFull });
