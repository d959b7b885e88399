import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { buildApp } from '../../src/app/build-app.ts';
import { type Context, contextOf } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database, PoolFigures } from '../../src/db/database.ts';
import type { CompressedLists } from '../../src/features/geography/compressed-lists.ts';
import { buildGeographyIndex, type GeographyIndex } from '../../src/features/geography/geography-index.ts';
import type { Geography } from '../../src/features/geography/geography-responses.ts';
import type { GeographyRows } from '../../src/features/geography/records.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import type { Metrics } from '../../src/metrics/metrics.ts';
import type { Tracing } from '../../src/tracing/open-tracing.ts';
import { TEST_SECRET } from './build-test-app.ts';
import { FEW_PLACES, wholeWorld } from './geographies.ts';

/** The service as it is configured in production, but without a database: for what happens before one is asked. */
export interface BareApp extends AsyncDisposable {
  app: FastifyInstance;
  context: Context;
  geography: Geography;
}

export interface BareAppOptions {
  /** What every statement is given to; absent: it fails. */
  query?: Database['query'];
  /** Where the log is written; absent: to standard error. */
  log?: DestinationStream;
  /** Environment variables. */
  settings?: Record<string, string>;
  /** `world`: all of the geography, made once for all who ask in a process; absent: Goa and its capital, in one of two countries. */
  places?: GeographyRows | 'world';
  /** Absent: the lists are answered as they are. */
  compressedLists?: CompressedLists;
  poolFigures?: () => PoolFigures;
  metrics?: Metrics;
  tracing?: Tracing;
  stop?: AbortSignal;
}

async function indexOf(places: NonNullable<BareAppOptions['places']>): Promise<GeographyIndex> {
  return places === 'world' ? (await wholeWorld()).index : buildGeographyIndex(places);
}

async function noDatabase(): Promise<never> {
  throw new TypeError('There is no database here.');
}

/** Builds the service without a database. */
export async function buildBareApp(options: BareAppOptions = {}): Promise<BareApp> {
  const {
    query = noDatabase,
    settings = {},
    places = FEW_PLACES,
    compressedLists,
    poolFigures,
    log,
    ...more
  } = options;
  const db: Database = {
    kind: 'server',
    mayWrite: true,
    query,
    ...(poolFigures === undefined ? {} : { poolFigures }),
    transaction: (work) => work({ mayWrite: true, query, run: async () => undefined }),
    session: noDatabase,
    listen: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const config = readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: TEST_SECRET, ...settings });
  const context = await contextOf(config, db);
  const index = await indexOf(places);
  await compressedLists?.prepare(index);
  const geography = { index, ...(compressedLists === undefined ? {} : { compressedLists }) };
  const app = await buildApp({
    ...context,
    geography,
    ...(log ? { log: createLog(config.logLevel, log) } : {}),
    ...more,
  });
  return { app, context, geography, [Symbol.asyncDispose]: () => app.close() };
}

/** Listens on a free port of the loopback interface and gives its number. */
export async function listenLocally(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}
