import assert from 'node:assert/strict';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import sql from 'sql-template-tag';
import { type AppContext, buildApp } from '../../src/app/build-app.ts';
import { type Context, contextOf } from '../../src/app/context.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Geography } from '../../src/features/geography/geography-responses.ts';
import { fewPlaces } from './geographies.ts';
import { openDemoDatabase } from './test-database.ts';

/** The service as it runs in production, on a database of its own. */
export interface TestApp extends AsyncDisposable {
  app: FastifyInstance;
  db: Database;
  context: Context;
  geography: Geography;
  /** An access token for the user with this e-mail address. */
  tokenFor(email: string): Promise<string>;
  /** Sends a request, with the token of the named user where one is named. */
  send(request: InjectOptions & { as?: string }): Promise<LightMyRequestResponse>;
}

export const TEST_SECRET = 'a secret for tests that is long enough';

/**
 * Builds the service for tests.
 *
 * @param settings environment variables; the log is silent unless they say otherwise
 * @param openDatabase with the demo companies
 * @param more of what the service is built from; it serves a few places unless a test gives another geography
 */
export async function buildTestApp(
  settings: Record<string, string> = {},
  openDatabase: () => Promise<Database> = openDemoDatabase,
  more: Partial<AppContext> = {},
): Promise<TestApp> {
  const config: Config = readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: TEST_SECRET, ...settings });
  const db = await openDatabase();
  const context = await contextOf(config, db);
  const { geography = fewPlaces() } = more;
  const app = await buildApp({ ...context, ...more, geography });

  async function tokenFor(email: string): Promise<string> {
    const [user] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
    assert.ok(user, `There is no user ${email}`);
    return context.signToken(user.id, 600);
  }
  return {
    app,
    db,
    context,
    geography,
    tokenFor,
    async send({ as, ...request }) {
      if (as === undefined) return app.inject(request);
      const authorization = `Bearer ${await tokenFor(as)}`;
      return app.inject({ ...request, headers: { authorization, ...request.headers } });
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await db[Symbol.asyncDispose]();
    },
  };
}
