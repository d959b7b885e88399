import { setTimeout as sleep } from 'node:timers/promises';
import { openMetrics } from '../../src/metrics/metrics.ts';
import { type BareApp, type BareAppOptions, buildBareApp, listenLocally } from './bare-app.ts';
import { parseScrape, type Scrape } from './scrape.ts';
import { waitUntil } from './wait-until.ts';

/** Answers every statement. */
export const works = async <Row>() => [{ one: 1, oldestUndelivered: 0, switchedOff: 0 }] as Row[];

/** A service whose requests are measured, and that listens. */
export interface MeasuredApp extends AsyncDisposable {
  bare: BareApp;
  port: number;
  scrape(): Promise<Scrape>;
  /** How many requests were counted, by operation and status. */
  counted(): Promise<Record<string, number>>;
}

/** Builds one without a database. */
export async function buildMeasuredApp(options: BareAppOptions = {}): Promise<MeasuredApp> {
  const metrics = openMetrics();
  const bare = await buildBareApp({ query: works, ...options, metrics });
  const port = await listenLocally(bare.app);
  const scrape = async () => parseScrape(await metrics.text());
  return {
    bare,
    port,
    scrape,
    async counted() {
      // The count follows the answer by a turn or two of the event loop.
      await sleep(20);
      const { figures } = await scrape();
      const counts = [...figures].filter(([series]) => series.startsWith(`orgdesk_http_requests_total{`));
      return Object.fromEntries(
        counts.map(([series, figure]) => [series.replace(/.*operation="(.*)",status="(.*)".*/, '$1 $2'), figure]),
      );
    },
    [Symbol.asyncDispose]: () => bare[Symbol.asyncDispose](),
  };
}

/** Those of the process apart, which has sockets of kinds while they are open. */
export async function ownSeries(service: MeasuredApp): Promise<string[]> {
  const { figures } = await service.scrape();
  return [...figures.keys()].filter((series) => series.startsWith('orgdesk_'));
}

export async function waitUntilCounted(service: MeasuredApp, key: string): Promise<void> {
  await waitUntil(`${key} to be counted`, async () => (await service.counted())[key] !== undefined);
}
