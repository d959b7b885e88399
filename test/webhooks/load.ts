import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inTurn, requestBytes, runLoad } from '../../bench/support/load.ts';
import { median } from '../../bench/support/medians.ts';
import { tryOften } from '../faults/try-often.ts';
import { freePort } from '../support/free-port.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, type Installed, install } from '../support/installed.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { parseScrape } from '../support/scrape.ts';
import { sendAtRate } from '../support/send-at-rate.ts';
import { waitUntil } from '../support/wait-until.ts';

const [WEBHOOKS, RATE, CONNECTIONS] = [100, 100, 8];
/** Times with webhooks, each next to one without: a machine is not as fast in one minute as in the next. */
const ROUNDS = 10;
const WARM_UP_SECONDS = 5;
/** Seconds of age, and the share of the rate without webhooks that profile views keep. */
const GOALS = { oldest: 2, views: 0.9 };

/** A webhook for each of a hundred companies, and a hundred changes a second in them, while profiles are viewed as fast as that goes. */
export async function tryLoad(kind: DatabaseKind, seconds: number): Promise<string[]> {
  const name = `${WEBHOOKS} webhooks, ${RATE} changes a second for ${seconds} s; ${kind}`;
  return [await tryOften(name, 1, () => bear(kind, seconds))];
}

/** Somebody of a company with a webhook. */
interface Member {
  companyId: string;
  id: string;
  token: string;
}

async function bear(kind: DatabaseKind, seconds: number): Promise<string> {
  const metricsPort = await freePort();
  await using installed = await install(kind, {
    WEBHOOK_PRIVATE_TARGETS: 'true',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'error',
  });
  const { data, superAdmin } = installed;
  const members: Member[] = [];
  for (let count = 0; count < WEBHOOKS; count++) {
    const { id: companyId } = await addKeyedCompany(installed, ['users.read']);
    const [id = ''] = await addPeople(installed, companyId, 1);
    members.push({ companyId, id, token: await installed.sign(id) });
  }
  await using receiver = await startDistantReceiver();
  await views(installed, members, WARM_UP_SECONDS);
  const [withThem, without]: [number[], number[]] = [[], []];
  let changes = 0;
  // Figures are read all the time: that costs both the same.
  const watching = new AbortController();
  using _stop = { [Symbol.dispose]: () => watching.abort() };
  const watched = watch(metricsPort, watching.signal);
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await views(installed, members, seconds / ROUNDS);
    const webhooks: string[] = [];
    for (const { companyId } of members) {
      const webhook = { url: receiver.url, companyId, entities: ['user'] };
      webhooks.push((await data('/api/webhooks/create', superAdmin, webhook)).id);
    }
    const reported = await views(installed, members, seconds / ROUNDS);
    changes += reported.changes;
    await waitUntil('the last message', async () => (await receiver.counts()).messages >= changes);
    for (const id of webhooks) await data('/api/webhooks/delete', superAdmin, { id });
    withThem.push(reported.rate);
    without.push(plain.rate);
  }
  watching.abort();
  const ages = await watched;
  const ratio = median(withThem.map((rate, round) => rate / (without[round] ?? Number.NaN)));
  const oldest = Math.max(...ages);
  const { messages, distinct } = await receiver.counts();
  const seen =
    `${changes} changes, all there, none twice; the oldest undelivered one was ${oldest.toFixed(2)} s old at the most; ` +
    `${median(withThem).toFixed(0)} profile views a second, ${median(without).toFixed(0)} without webhooks, of ${ROUNDS} times each in turns: ${ratio.toFixed(2)}`;
  assert.deepEqual([distinct, messages], [changes, changes]);
  assert.ok(oldest < GOALS.oldest && ratio >= GOALS.views, seen);
  return seen;
}

interface Counts {
  messages: number;
  /** Of these, without those that came before. */
  distinct: number;
}

async function startDistantReceiver() {
  const child = fork(fileURLToPath(new URL('receiver-process.ts', import.meta.url)));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    async counts() {
      child.send('counts');
      const [counts] = (await once(child, 'message')) as [Counts];
      return counts;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Views profiles while there are changes, so many a second. */
async function views({ ask, settings }: Installed, members: readonly Member[], seconds: number) {
  const requests = inTurn(
    members.map(({ token }) =>
      requestBytes('GET', '/api/users/profile', { headers: { authorization: `Bearer ${token}` } }),
    ),
  );
  let viewed = 0;
  const port = Number(settings.PORT);
  const next = () => requests(viewed++);
  const changes = Math.round(seconds * RATE);
  const [load] = await Promise.all([
    runLoad({ port, next, connections: CONNECTIONS, milliseconds: seconds * 1000 }),
    sendAtRate({ rate: RATE, times: changes }, async (number) => {
      const { token } = members[number % members.length] as Member;
      const body = { gender: `${number} of ${performance.now()}` };
      assert.equal((await ask('/api/users/update-profile', token, { body })).status, 200);
    }),
  ]);
  return { rate: load.requestsPerSecond, changes };
}

/** The age of the oldest change that is not delivered, as the metrics tell it, twice a second. */
async function watch(port: number, stop: AbortSignal): Promise<number[]> {
  const ages: number[] = [];
  while (!stop.aborted) {
    const { body } = await exchange(port, requestText('GET /metrics'));
    ages.push(parseScrape(body).figures.get('orgdesk_webhook_oldest_undelivered_seconds') ?? Number.NaN);
    await sleep(500);
  }
  return ages;
}
