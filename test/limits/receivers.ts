import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/support/medians.ts';
import { rounded, tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, install } from '../support/installed.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { assertServed, besideOthers, othersInWords, requestsOfOthers } from './others.ts';

/** Webhooks of one company: as many as it may have. */
const WEBHOOKS = 20;
/** Milliseconds that a slow receiver takes: just no failure. */
const SLOW = 14_000;
/** Changes for the good receiver, one after the other. */
const CHANGES = 10;

/** Receivers that answer 200 after 14 s, and a good one of another company. @param percent of 200 of the former */
export async function tryReceivers(kind: DatabaseKind, percent: number): Promise<string[]> {
  const companies = Math.ceil((200 * percent) / 100 / WEBHOOKS);
  const name = `${companies * WEBHOOKS} receivers that take ${SLOW / 1000} s for each change, and a good one; ${kind}`;
  return [await tryOften(name, 1, () => deliver(kind, companies))];
}

async function deliver(kind: DatabaseKind, companies: number): Promise<string> {
  await using slow = await startReceiver();
  await using good = await startReceiver();
  const hanging = new Set<ServerResponse>();
  let most = 0;
  slow.answer((response) => {
    hanging.add(response);
    most = Math.max(most, hanging.size);
    setTimeout(() => {
      hanging.delete(response);
      response.end();
    }, SLOW).unref();
  });
  await using installed = await install(kind, { WEBHOOK_PRIVATE_TARGETS: 'true' });
  const { data, superAdmin, settings } = installed;
  const change = (id: string, count: number) => data('/api/users/update', superAdmin, { id, lastName: `Rao ${count}` });
  const people: string[] = [];
  const addWebhooks = async (url: string, count: number) => {
    const { id: companyId } = await addKeyedCompany(installed, ['scim']);
    people.push(...(await addPeople(installed, companyId, 1)));
    for (let made = 0; made < count; made++) {
      await data('/api/webhooks/create', superAdmin, { companyId, url, entities: ['user'] });
    }
  };
  for (let company = 0; company < companies; company++) await addWebhooks(slow.url, WEBHOOKS);
  const changeAll = async (count: number) => {
    for (const id of people) await change(id, count);
  };
  // Two changes each: no slow one has nothing to do while the good one is watched.
  await changeAll(1);
  await changeAll(2);
  await waitUntil('slow receivers to be at work', () => hanging.size >= Math.min(WEBHOOKS * companies, 100));
  await addWebhooks(good.url, 1);
  const own = people.at(-1) ?? '';
  const lags: number[] = [];
  const seen = await besideOthers(Number(settings.PORT), await requestsOfOthers(installed), async () => {
    for (let count = 1; count <= CHANGES; count++) {
      await change(own, count + 100);
      lags.push(await waitUntil('the good receiver to be told', () => good.received.length >= count));
      await changeAll(count + 2);
      await sleep(1_000);
    }
  });
  const longest = Math.max(...lags);
  assert.ok(longest < SLOW, `The good receiver was told after ${rounded(longest)}: it waited for slow ones.`);
  assertServed(seen);
  return `${most} slow ones at work at once; the good one was told after ${rounded(median(lags))}, ${rounded(longest)} at most; ${othersInWords(seen)}`;
}
