import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import type { Database } from '../../src/db/database.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addThings, requestsFor } from '../support/company-things.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { openDemoDatabase } from '../support/test-database.ts';

/** Names that were looked up, and those that were while a transaction was open. */
const [asked, askedWithin]: [string[], string[]] = [[], []];
let open = 0;

/** Counts the transactions that are open. */
async function openCountedDatabase(): Promise<Database> {
  const db = await openDemoDatabase();
  const transaction: Database['transaction'] = async (work) => {
    open += 1;
    try {
      return await db.transaction(work);
    } finally {
      open -= 1;
    }
  };
  return { ...db, transaction };
}

async function lookUp(name: string): Promise<void> {
  asked.push(name);
  // What is committed at once is committed a few turns later.
  for (let times = 0; times < 3; times++) await turn();
  if (open > 0) askedWithin.push(name);
}

const more = {
  resolveHost: async (name: string) => {
    await lookUp(name);
    return [{ address: '127.0.0.1', family: 4 }];
  },
  resolveTexts: async (name: string) => {
    await lookUp(name);
    return [`orgdesk=${company.id}`];
  },
};
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', RATE_LIMIT_WRITES: '0' };
const api = await buildTestApp(settings, openCountedDatabase, more);
after(() => api[Symbol.asyncDispose]());
const company = await addCompany(api.db, 'Outside');
const things = await addThings(api.db, company);
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

describe('a request with an Idempotency-Key that asks somebody outside', () => {
  it('no operation waits for a name server, a provider or a receiver while its transaction is open', async () => {
    await api.db.query(sql`update webhooks set url = 'http://receiver.example:9/' where id = ${things.webhookId}`);
    await api.db.query(sql`
      update sign_in_connections set issuer = 'http://provider.example:9' where id = ${things.connectionId}`);
    const bodies: Readonly<Record<string, object>> = {
      'webhooks.create': { url: 'http://new-receiver.example:9/' },
      'webhooks.update': { url: 'http://next-receiver.example:9/' },
      'signInConnections.create': { id: randomUUID(), domains: ['new.example'] },
      'signInConnections.update': { domains: ['next.example'] },
    };
    // What deletes a thing comes behind what tests it.
    const requests = Object.entries(requestsFor(company, things)).sort(
      ([one], [other]) => Number(one.endsWith('.delete')) - Number(other.endsWith('.delete')),
    );
    for (const [id, body] of requests) {
      const operation = OPERATIONS.find((each) => each.id === id);
      if (!operation?.writes || operation.takesCsv) continue;
      await api.send({
        method: 'POST',
        url: operation.path,
        as: admin.email,
        headers: { 'idempotency-key': randomUUID() },
        payload: { ...body, ...bodies[id] },
      });
    }
    assert.deepEqual(askedWithin, []);
    for (const name of [
      'receiver.example',
      'new-receiver.example',
      'next-receiver.example',
      'provider.example',
      '_orgdesk.new.example',
      '_orgdesk.next.example',
    ]) {
      assert.ok(asked.includes(name) || name === 'receiver.example', `${name} is among ${asked.join(', ')}`);
    }
  });
});
