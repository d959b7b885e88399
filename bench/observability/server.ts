import { openMetrics } from '../../src/metrics/metrics.ts';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import { buildBareApp, listenLocally } from '../../test/support/bare-app.ts';
import { PROFILE_ROW } from '../../test/support/profile-row.ts';

/*
 * The service without a database, with what the first word asks for: `nothing`, `metrics` or `traces`; the second one is the address of the collector.
 * Prints its address and a token.
 */
const [, , what = 'nothing', url = ''] = process.argv;
const lost = (error: unknown) => process.stderr.write(`${String(error)}\n`);
const bare = await buildBareApp({
  query: async <Row>() => [{ ...PROFILE_ROW, owner: PROFILE_ROW.userId }] as Row[],
  ...(what === 'metrics' ? { metrics: openMetrics() } : {}),
  ...(what === 'traces' ? { tracing: openTracing({ url, serviceName: undefined }, lost) } : {}),
});
const port = await listenLocally(bare.app);
process.stdout.write(`http://127.0.0.1:${port}\n`);
process.once('SIGTERM', () => process.exit());
