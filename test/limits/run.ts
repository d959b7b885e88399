import { runParts } from '../support/run-parts.ts';
import { tryBodies } from './bodies.ts';
import { tryBodiesAtOnce } from './bodies-at-once.ts';
import { tryFilters } from './filters.ts';
import { tryFloods } from './floods.ts';
import { tryImports } from './imports.ts';
import { tryNames } from './names.ts';
import { tryOwnLimits } from './own-limits.ts';
import { tryReceivers } from './receivers.ts';
import { tryTokens } from './tokens.ts';

/* What one caller can do to others within the limits. `--percent 10 --people 5000 --seconds 10` for less. */
await runParts({
  name: 'limits',
  title: 'What one caller can do to others',
  full: { percent: 100, people: 80_000, seconds: 60 },
  parts: ({ percent, people, seconds }) => ({
    bodies: (kind) => tryBodies(kind, percent),
    'bodies at once': (kind) => tryBodiesAtOnce(kind, percent),
    floods: (kind) => tryFloods(kind, percent),
    filters: (kind) => tryFilters(kind, people),
    imports: (kind) => tryImports(kind, percent),
    names: (kind) => tryNames(kind, percent),
    receivers: (kind) => tryReceivers(kind, percent),
    tokens: (kind) => tryTokens(kind, percent),
    own: (kind) => tryOwnLimits(kind, people, seconds),
  }),
});
