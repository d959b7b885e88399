import { runParts } from '../support/run-parts.ts';
import { tryFailing } from './failing.ts';
import { tryKills } from './kills.ts';
import { tryLoad } from './load.ts';

/* The proofs of webhooks that take long, on the service as it is installed. `--seconds 30 --rounds 2 --changes 100` for less. */
await runParts({
  name: 'webhooks',
  title: 'Webhooks',
  full: { seconds: 300, rounds: 50, changes: 1000 },
  parts: ({ seconds, rounds, changes }) => ({
    kills: (kind) => tryKills(kind, { rounds, changes }),
    load: (kind) => tryLoad(kind, seconds),
    failing: (kind) => tryFailing(kind, seconds),
  }),
});
