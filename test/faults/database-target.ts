import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { buildApp } from '../../src/app/build-app.ts';
import { contextOf } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { listenLocally } from '../support/bare-app.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { fewPlaces } from '../support/geographies.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

export interface Answered {
  status: number;
  milliseconds: number;
  headers: Headers;
  body: { message?: string; code?: string; data?: unknown };
}

/** The service, listening, with something between it and its database server that can go wrong. */
export interface DatabaseTarget extends AsyncDisposable {
  readonly proxy: TcpProxy;
  /** The database as the service has it, through the proxy. */
  readonly db: Database;
  /** The database past the proxy. */
  readonly direct: Database;
  /** How many times as long as promised things may take: more than 1 where the machine is busy with other tests. */
  readonly slack: number;
  ask(path: string, options?: RequestInit): Promise<Answered>;
  /** The own profile, of somebody. */
  askProfile(): Promise<Answered>;
  updateProfile(fields: object, headers?: Record<string, string>): Promise<Answered>;
  /** Waits until a request that needs the database succeeds; gives the milliseconds that took. */
  recovery(): Promise<number>;
}

const SOMEBODY = 'employee@acme.example';
const CONNECTIONS = 4;

/**
 * @param url a database with the demo companies and a country
 * @param statementTimeout milliseconds that a statement may take
 */
export async function startDatabaseTarget(
  url: string,
  { statementTimeout, slack }: { statementTimeout: number; slack: number },
): Promise<DatabaseTarget> {
  const proxy = await startTcpProxy(Number(new URL(url).port));
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  const direct = openPostgresDatabase({ url, maxConnections: 2 });
  const db = openPostgresDatabase({ url: proxied.href, maxConnections: CONNECTIONS, statementTimeout });
  const config = readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: TEST_SECRET, MAX_REQUESTS_UNDER_WAY: '200' });
  const context = await contextOf(config, db);
  const geography = fewPlaces();
  const app = await buildApp({ ...context, geography });
  const address = `http://127.0.0.1:${await listenLocally(app)}`;
  const [user] = await direct.query<{ id: string }>(sql`select id from users where email = ${SOMEBODY}`);
  const authorization = `Bearer ${await context.signToken(user?.id ?? '', 3600)}`;

  async function ask(path: string, options: RequestInit = {}): Promise<Answered> {
    const began = performance.now();
    const response = await fetch(address + path, { ...options, signal: AbortSignal.timeout(20_000) });
    const body = (await response.json()) as Answered['body'];
    return { status: response.status, headers: response.headers, body, milliseconds: performance.now() - began };
  }
  const askProfile = () => ask('/api/users/profile', { headers: { authorization } });
  for (let round = 0; round < 20; round++) await askProfile();
  return {
    proxy,
    db,
    direct,
    slack,
    ask,
    askProfile,
    updateProfile: (fields, headers = {}) =>
      ask('/api/users/update-profile', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(fields),
      }),
    async recovery() {
      const began = performance.now();
      while ((await askProfile()).status !== 200) {
        assert.ok(performance.now() - began < 10_000, 'The service did not come back.');
        await sleep(50);
      }
      return performance.now() - began;
    },
    async [Symbol.asyncDispose]() {
      proxy.pass();
      await app.close();
      await db[Symbol.asyncDispose]();
      await direct[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}
