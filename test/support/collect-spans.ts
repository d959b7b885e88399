import assert from 'node:assert/strict';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import { type BareApp, type BareAppOptions, buildBareApp, listenLocally } from './bare-app.ts';
import type { Collector, ReceivedSpan } from './collector.ts';

/** Whom the tokens are of. */
export const USER = '11111111-2222-4333-8444-555555555555';

/** Milliseconds that a busy machine may take to send spans. */
const DEADLINE_MS = 240_000;
const DEADLINES = {
  OTEL_EXPORTER_OTLP_TIMEOUT: String(DEADLINE_MS),
  OTEL_BSP_EXPORT_TIMEOUT: String(DEADLINE_MS),
};

/** A service whose requests have spans. */
export interface TracedApp {
  bare: BareApp;
  port: number;
  /** A header of a request, with a token; empty where the service signs none. */
  authorization: string;
}

export interface TracedAppOptions extends BareAppOptions {
  serviceName?: string;
}

/** Runs a service while the work is done, without users in its database, and gives the spans that the collector has when it has stopped. */
export async function collectSpans(
  collector: Collector,
  work: (service: TracedApp) => Promise<unknown>,
  { serviceName, ...options }: TracedAppOptions = {},
): Promise<ReceivedSpan[]> {
  Object.assign(process.env, DEADLINES);
  const url = `${collector.url}/v1/traces`;
  const tracing = openTracing({ url, serviceName }, (error) => assert.fail(String(error)), DEADLINE_MS);
  const bare = await buildBareApp({ query: async () => [], ...options, tracing });
  const port = await listenLocally(bare.app);
  const signs = bare.context.identityProvider === undefined;
  const authorization = signs ? `Authorization: Bearer ${await bare.context.signToken(USER, 60)}` : '';
  try {
    await work({ bare, port, authorization });
  } finally {
    await bare[Symbol.asyncDispose]();
    await tracing[Symbol.asyncDispose]();
    for (const name of Object.keys(DEADLINES)) delete process.env[name];
  }
  return [...collector.spans];
}
