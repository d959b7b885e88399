import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('notifications', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
  });
  after(() => db[Symbol.asyncDispose]());

  /** Listens, and counts from when listening has begun. */
  async function countNotifications(channel: string) {
    let total = 0;
    const listening = await db.listen(channel, () => total++);
    // A server tells at once that it listens (see Database.listen).
    if (db.kind === 'server') await waitUntil('the beginning', () => total > 0);
    const atStart = total;
    return { count: () => total - atStart, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
  }

  /** Everything that was notified before has arrived when this has. */
  async function settle(): Promise<void> {
    let arrived = false;
    await using _listening = await db.listen('settled', () => {
      arrived = true;
    });
    await db.query(sql`notify settled`);
    await waitUntil('the last notification', () => arrived);
    await sleep(20);
  }

  it('notifications reach every listener on their channel, and no other', async () => {
    await using heard = await countNotifications('news');
    await using others = await countNotifications('other_news');
    await db.query(sql`notify news`);
    await waitUntil('the first', () => heard.count() === 1);
    await db.query(sql`select pg_notify('news', 'again')`);
    await waitUntil('the second', () => heard.count() === 2);
    await settle();
    assert.equal(others.count(), 0);
  });

  it('notifications do not reach a listener that has ended listening', async () => {
    const heard = await countNotifications('brief_news');
    await heard[Symbol.asyncDispose]();
    await db.query(sql`notify brief_news`);
    await settle();
    assert.equal(heard.count(), 0);
  });

  it('notifications of a transaction arrive after its commit', async () => {
    await using heard = await countNotifications('late_news');
    await db.transaction(async (transaction) => {
      await transaction.query(sql`select pg_notify('late_news', '')`);
      await sleep(20);
      assert.equal(heard.count(), 0);
    });
    await waitUntil('the notification', () => heard.count() === 1);
  });

  it('notifications of a rolled-back transaction do not arrive', async () => {
    await using heard = await countNotifications('no_news');
    const work = db.transaction(async (transaction) => {
      await transaction.query(sql`select pg_notify('no_news', '')`);
      throw new Error('undone');
    });
    await assert.rejects(work, /undone/);
    await settle();
    assert.equal(heard.count(), 0);
  });
});

describe('a listening connection that is lost', () => {
  it('a lost listening connection is replaced, and its listener is notified', async () => {
    await using db = await openTestDatabase();
    let calls = 0;
    await using _listening = await db.listen('lasting_news', () => calls++);
    // The embedded database has no connection to lose: there nothing is ended, and one notification is one call.
    if (db.kind === 'server') await waitUntil('the beginning', () => calls > 0);
    const ended = await db.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
    );
    assert.equal(ended.length, db.kind === 'server' ? 1 : 0);
    const before = calls;
    if (db.kind === 'server') await waitUntil('the new connection', () => calls > before);
    const renewed = calls;
    await db.query(sql`notify lasting_news`);
    await waitUntil('the notification', () => calls === renewed + 1);
  });
});
