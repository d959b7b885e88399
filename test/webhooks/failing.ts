import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMilliseconds } from '../../bench/support/process-figures.ts';
import { rounded, tryOften } from '../faults/try-often.ts';
import { freePort } from '../support/free-port.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, install } from '../support/installed.ts';

const [COMPANIES, OF_EACH] = [50, 20];
/** The share of a processor that they may cost, and milliseconds that others may wait. */
const GOALS = { share: 0.05, wait: 1_000 };

/** A thousand webhooks that lead to nobody. */
export async function tryFailing(kind: DatabaseKind, seconds: number): Promise<string[]> {
  const name = `${COMPANIES * OF_EACH} webhooks that all fail, for ${seconds} s, with a change a second; ${kind}`;
  return [await tryOften(name, 1, () => bear(kind, seconds))];
}

async function bear(kind: DatabaseKind, seconds: number): Promise<string> {
  await using installed = await install(kind, { WEBHOOK_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'error' });
  const { data, superAdmin, service } = installed;
  const url = `http://127.0.0.1:${await freePort()}/`;
  const people: string[] = [];
  const webhooks: string[] = [];
  for (let count = 0; count < COMPANIES; count++) {
    const { id: companyId } = await addKeyedCompany(installed, ['users.read']);
    people.push(...(await addPeople(installed, companyId, 1)));
    for (let each = 0; each < OF_EACH; each++) {
      const webhook = { url, companyId, entities: ['user'] };
      webhooks.push((await data('/api/webhooks/create', superAdmin, webhook)).id);
    }
  }
  let slowest = 0;
  const spend = async (wanted: number) => {
    const before = processorMilliseconds(service.pid);
    const end = performance.now() + wanted * 1000;
    for (let count = 0; performance.now() < end; count++) {
      const began = performance.now();
      const id = people[count % people.length];
      await data('/api/users/update', superAdmin, { id, gender: `${count} of ${wanted}` });
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(1_000 - (performance.now() - began));
    }
    return (processorMilliseconds(service.pid) - before) / (wanted * 1000);
  };
  const failing = await spend(seconds);
  const slowestFailing = slowest;
  const tried = await data(`/api/webhooks/deliveries?id=${webhooks[0]}`, superAdmin);
  assert.ok(tried.length > 0 && tried.every(({ status }: { status: unknown }) => status === null));
  for (const id of webhooks) await data('/api/webhooks/delete', superAdmin, { id });
  const without = await spend(Math.max(10, seconds / 5));
  const seen =
    `${(failing * 100).toFixed(1)} % of a processor, ${(without * 100).toFixed(1)} % without them: ${((failing - without) * 100).toFixed(1)} %; ` +
    `the slowest change took ${rounded(slowestFailing)}`;
  assert.ok(failing - without < GOALS.share && slowestFailing < GOALS.wait, seen);
  return seen;
}
