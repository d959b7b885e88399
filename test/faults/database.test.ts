import { after, before, describe, it } from 'node:test';
import { openDemoDatabaseWithCountry, type TestDatabase } from '../support/test-database.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import { type DatabaseTarget, startDatabaseTarget } from './database-target.ts';

/** Milliseconds; less than in production, as each fault takes as long as this. */
const TIME_LIMIT = 700;

describe('the service goes on, and comes back, where', () => {
  let database: TestDatabase;
  let target: DatabaseTarget;
  before(async () => {
    database = await openDemoDatabaseWithCountry();
    target = await startDatabaseTarget(database.url ?? '', { timeLimit: TIME_LIMIT, slack: 10 });
  });
  after(async () => {
    await target?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });
  for (const { name, run } of DATABASE_FAULTS) it(name, async () => void (await run(target)));
});
