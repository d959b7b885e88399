import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryOften } from '../faults/try-often.ts';
import {
  addKeyedCompany,
  addPeople,
  type DatabaseKind,
  type Installed,
  install,
  type KeyedCompany,
} from '../support/installed.ts';
import { sendAtRate } from '../support/send-at-rate.ts';
import { waitUntil } from '../support/wait-until.ts';

const RATE = 200;
/** Milliseconds for which requests go on after the end. */
const AFTERWARDS = 500;
/** Milliseconds of its life that an expiring key has. */
const LIFE = 1_000;

/** How a key ends. @returns when that was done at the latest, in milliseconds since 1970 */
type End = (installed: Installed, company: KeyedCompany, expiry: number) => Promise<number>;

const ENDS: Readonly<Record<string, End>> = {
  revoked: async ({ data, superAdmin }, { keyId }) => {
    await data('/api/api-keys/revoke', superAdmin, { id: keyId });
    return Date.now();
  },
  expired: async (_installed, _company, expiry) => {
    await sleep(expiry - Date.now());
    return expiry;
  },
  'of a company that is closed': async ({ data, superAdmin }, { id }) => {
    await data('/api/companies/update', superAdmin, { id, active: false });
    return Date.now();
  },
};

/** Ends keys in the middle of requests, and while somebody waits for the feed by them. */
export async function tryEnds(kind: DatabaseKind, rounds: number): Promise<string[]> {
  await using installed = await install(kind);
  const rows: string[] = [];
  for (const [how, end] of Object.entries(ENDS)) {
    let [before, after] = [0, 0];
    const name = `a key that is ${how}, amid ${RATE} requests a second; ${kind}`;
    const row = await tryOften(name, rounds, async () => {
      const seen = await endKey(installed, how, end);
      before += seen.before;
      after += seen.after;
      return `${before} requests answered before, ${after} refused afterwards, none answered; nothing told to who waited`;
    });
    rows.push(row);
  }
  return rows;
}

async function endKey(installed: Installed, how: string, end: End): Promise<{ before: number; after: number }> {
  const { data, ask, superAdmin } = installed;
  const expiry = Date.now() + LIFE;
  const expires = how === 'expired' ? { expiresAt: new Date(expiry).toISOString() } : {};
  const company = await addKeyedCompany(installed, ['users.read', 'events.read'], expires);
  const [person] = await addPeople(installed, company.id, 1);
  const list = `/api/users/list?companyId=${company.id}`;
  const { body: start } = await ask('/api/events/list?from=now', company.key);
  const waiting = ask(`/api/events/list?wait=25&after=${start.next}`, company.key);

  const stop = new AbortController();
  const answers: { began: number; status: number }[] = [];
  const asking = sendAtRate({ rate: RATE, stop: stop.signal }, async () => {
    const began = Date.now();
    answers.push({ began, status: (await ask(list, company.key)).status });
  });
  asking.catch(() => undefined);
  await waitUntil('an answer', () => answers.length > 0);
  await sleep(Math.random() * 300);
  const ended = await end(installed, company, expiry);
  await data('/api/users/update', superAdmin, { id: person, firstName: 'Changed' });
  await sleep(AFTERWARDS);
  stop.abort();
  await asking;
  const { status, body } = await waiting;
  assert.equal(status, 401, `Who waited was told ${JSON.stringify(body)}`);
  const late = answers.filter(({ began }) => began > ended);
  assert.ok(late.length > 0, 'All requests came before.');
  for (const each of late)
    assert.equal(each.status, 401, `A request ${each.began - ended} ms after the end was answered.`);
  const good = answers.filter(({ status: each }) => each === 200);
  assert.equal(answers.filter(({ status: each }) => each === 401).length + good.length, answers.length);
  assert.ok(good.length > 0, 'No request came before.');
  return { before: good.length, after: late.length };
}
