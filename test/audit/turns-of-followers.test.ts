import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { openDemoDatabase } from '../support/test-database.ts';

/** The shares of statements about the feed, and of those that look callers up. */
const shares = { feed: new Set<string | undefined>(), callers: new Set<string | undefined>() };

async function openWatchedDatabase() {
  const db = await openDemoDatabase();
  const query: Database['query'] = (statement, isWanted) => {
    const isOfFeed = /publish_audit_changes|change_feed|audit_changes/.test(statement.sql);
    shares[isOfFeed ? 'feed' : 'callers'].add(isWanted?.share);
    return db.query(statement, isWanted);
  };
  return { ...db, query };
}

const api = await buildTestApp({}, openWatchedDatabase);
after(() => api[Symbol.asyncDispose]());

it('statements of feed followers have a separate queue, so that callers do not wait for them', async () => {
  const as = 'super.admin@orgdesk.example';
  assert.equal((await api.send({ method: 'GET', url: '/api/events/list', as })).statusCode, 200);
  for (const each of Object.values(shares)) each.clear();
  const answer = await api.send({ method: 'GET', url: '/api/events/list?limit=1000', as });
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(shares, { feed: new Set(['feed']), callers: new Set([undefined]) });
});
