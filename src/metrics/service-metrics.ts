import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { EmbeddedFigures, PoolFigures } from '../db/database.ts';
import type { DroppedConnections } from '../http/connections/connections.ts';
import type { LimitFigures } from '../http/limits/limits.ts';
import { PROGRAM } from '../lib/program.ts';

/** Sources of the metrics of a running service, read at each scrape. */
export interface ServiceSources {
  /** Absent without a connection pool. */
  poolFigures?: (() => PoolFigures) | undefined;
  /** Absent with a database server. */
  embeddedFigures?: (() => EmbeddedFigures) | undefined;
  limitFigures(): LimitFigures & { bodies: number; dropped: DroppedConnections };
  geography: {
    readonly index: { readonly version: string } & Record<Kind, { find(query: object): Found }>;
  };
  /** Returns whether `/readyz` would answer 200 now, and whether each dependency is healthy. */
  readiness(): Promise<{ isReady: boolean; dependencies: Readonly<Record<string, boolean>> }>;
  webhooks: {
    /** Delivery attempts of this process so far, by outcome; undefined: it delivers none. */
    attempts: Figures | undefined;
    figures(): Promise<{ oldestUndelivered: number; switchedOff: number }>;
  };
}

/** Milliseconds that a scrape waits for figures from the database. */
const TIME_LIMIT = 1_000;

const KINDS = ['countries', 'states', 'cities'] as const;
type Kind = (typeof KINDS)[number];
type Found = { readonly totalItems: number };

/** Counts so far, by label. */
type Figures = Readonly<Record<string, number>>;

/** Registers the metrics of a running service, except those of requests. They are collected at each scrape. */
export function addServiceMetrics(registry: Registry, sources: ServiceSources): void {
  const { poolFigures, embeddedFigures, limitFigures, geography, webhooks } = sources;
  const readiness = shared(() => sources.readiness());
  const add = (options: { name: string; help: string; labelNames?: string[] }, collect: (gauge: Gauge) => unknown) =>
    new Gauge({
      ...options,
      registers: [registry],
      async collect() {
        this.reset();
        await collect(this);
      },
    });
  /** Registers a counter whose values are counted elsewhere. */
  const addCounter = (name: string, help: string, label: string, counted: () => Figures) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [of, count] of Object.entries(counted())) this.inc({ [label]: of }, count);
      },
    });

  add(
    {
      name: 'orgdesk_build_info',
      help: 'Always 1. The version of the program, and the commit that it was built from where that is known.',
      labelNames: ['version', 'commit'],
    },
    (gauge) => gauge.set(PROGRAM, 1),
  );
  add({ name: 'orgdesk_ready', help: '1 where /readyz would answer 200 now, otherwise 0.' }, async (gauge) =>
    gauge.set(Number((await readiness()).isReady)),
  );
  add(
    {
      name: 'orgdesk_dependency_up',
      help: '1 for a dependency that is as it should be, otherwise 0. An identity provider that is down does not keep the service from its work.',
      labelNames: ['dependency'],
    },
    async (gauge) => {
      const { dependencies } = await readiness();
      for (const [dependency, isGood] of Object.entries(dependencies)) gauge.set({ dependency }, Number(isGood));
    },
  );
  add(
    {
      name: 'orgdesk_http_requests_under_way',
      help: 'Requests that wait for the database: those that MAX_REQUESTS_UNDER_WAY bounds.',
    },
    (gauge) => gauge.set(limitFigures().inFlight),
  );
  addCounter(
    'orgdesk_http_requests_refused_total',
    'Requests refused by a limit: public, user, write, company and bad_token with 429, under_way and bodies with 503.',
    'limit',
    () => {
      const { bodies, refused } = limitFigures();
      const { in_flight: inFlight, ...others } = refused;
      return { ...others, under_way: inFlight, bodies };
    },
  );
  addCounter(
    'orgdesk_http_connections_cut_total',
    'Connections cut because an answer was not read: it stood still for 30 s (standstill), its network had too many (network), there were too many in all (memory).',
    'reason',
    () => {
      const { stalled, ...others } = limitFigures().dropped;
      return { standstill: stalled, ...others };
    },
  );
  add(
    {
      name: 'orgdesk_geography_info',
      help: 'The geography that is served: the version is equal for equal data.',
      labelNames: ['version'],
    },
    (gauge) => gauge.set({ version: geography.index.version }, 1),
  );
  add({ name: 'orgdesk_geography_places', help: 'Places that are served, by kind.', labelNames: ['kind'] }, (gauge) => {
    for (const kind of KINDS) gauge.set({ kind }, geography.index[kind].find({}).totalItems);
  });
  const { attempts } = webhooks;
  // Without the database these figures are left out, as the others are needed most during an outage.
  const figuresOfWebhooks = shared(() =>
    Promise.race([webhooks.figures(), sleep(TIME_LIMIT, undefined, { ref: false })]).catch(() => undefined),
  );
  if (attempts) {
    const help = 'Attempts to deliver a change to a webhook: delivered or failed.';
    addCounter('orgdesk_webhook_deliveries_total', help, 'outcome', () => attempts);
  }
  add(
    {
      name: 'orgdesk_webhook_oldest_undelivered_seconds',
      help: 'Age of the oldest change that an active webhook has not come to; 0 where there is none.',
    },
    async (gauge) => {
      const figures = await figuresOfWebhooks();
      if (figures) gauge.set(figures.oldestUndelivered);
    },
  );
  add({ name: 'orgdesk_webhooks_switched_off', help: 'Webhooks that the service has switched off.' }, async (gauge) => {
    const figures = await figuresOfWebhooks();
    if (figures) gauge.set(figures.switchedOff);
  });
  if (embeddedFigures) {
    add(
      { name: 'orgdesk_embedded_log_bytes', help: 'Bytes of the write-ahead log since the last checkpoint.' },
      (gauge) => gauge.set(embeddedFigures().logBytes),
    );
    add({ name: 'orgdesk_embedded_dead_rows', help: 'Dead rows of all tables when they were last counted.' }, (gauge) =>
      gauge.set(embeddedFigures().deadRows),
    );
    add(
      {
        name: 'orgdesk_embedded_maintenance_longest_seconds',
        help: 'The longest checkpoint, vacuum or analyze of one table so far.',
      },
      (gauge) => gauge.set(embeddedFigures().longest / 1_000),
    );
    addCounter(
      'orgdesk_embedded_maintenance_total',
      'Checkpoints, and vacuums and analyzes of one table.',
      'kind',
      () => embeddedFigures().runs,
    );
  }
  if (poolFigures === undefined) return;
  add(
    {
      name: 'orgdesk_database_connections',
      help: 'Connections to the database server, by what they do: in_use or idle.',
      labelNames: ['state'],
    },
    (gauge) => {
      const { open, inUse } = poolFigures();
      gauge.set({ state: 'in_use' }, inUse);
      gauge.set({ state: 'idle' }, open - inUse);
    },
  );
  add(
    { name: 'orgdesk_database_statements_waiting', help: 'Statements and transactions that wait for a connection.' },
    (gauge) => gauge.set(poolFigures().waiting),
  );
}

/** Shares one call among concurrent callers: the metrics of one scrape are collected together. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}
