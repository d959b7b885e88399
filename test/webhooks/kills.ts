import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryOften } from '../faults/try-often.ts';
import { patchOf } from '../scim/directory.ts';
import type { Service } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import {
  addKeyedCompany,
  addPeople,
  type DatabaseKind,
  type Installed,
  install,
  type KeyedCompany,
} from '../support/installed.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const WEBHOOKS = 5;
/** Milliseconds at most between changes and the kill. */
const LONGEST = 1_500;
/** Milliseconds for what is left when nothing is killed any more: a lease of a dead process among it. */
const LIMIT = 30 * 60_000;

export interface Size {
  rounds: number;
  /** In each round, to each webhook. */
  changes: number;
}

/** `kill -9` of senders while they send: the only process; one of two instances. */
export async function tryKills(kind: DatabaseKind, size: Size): Promise<string[]> {
  if (kind === 'embedded') {
    return [
      await killSenders('the service, embedded', kind, size, async (installed) => {
        await installed.service.kill('SIGKILL');
        await installed.start();
      }),
    ];
  }
  return [await killSenders('one of two instances, server', kind, size, killOneOfTwo())];
}

type Kill = (installed: Installed) => Promise<void>;

async function killSenders(what: string, kind: DatabaseKind, { rounds, changes }: Size, kill: Kill): Promise<string> {
  await using installed = await install(kind, { WEBHOOK_PRIVATE_TARGETS: 'true' });
  const company = await addKeyedCompany(installed, ['scim', 'events.read']);
  const people = await addPeople(installed, company.id, changes);
  const { body: start } = await installed.ask('/api/events/list?from=now', company.key);
  const receivers = await Promise.all(Array.from({ length: WEBHOOKS }, startListener));
  for (const { url } of receivers) {
    const webhook = { url, companyId: company.id, entities: ['companyRole'] };
    await installed.data('/api/webhooks/create', installed.superAdmin, webhook);
  }
  const name = `kill -9 of ${what}, ${rounds} times, amid ${changes} changes each to ${WEBHOOKS} webhooks`;
  const row = await tryOften(name, 1, async () => {
    for (let round = 0; round < rounds; round++) {
      await changeAll(installed, company, people, round % 2 === 0 ? 'add' : 'remove');
      await sleep(Math.random() * LONGEST);
      await kill(installed);
    }
    const expected = await followed(installed, company, start.next);
    assert.equal(expected.length, rounds * changes);
    const took = await waitUntil(
      'all',
      () => receivers.every(({ ids }) => ids.length >= expected.length && ids.at(-1) === expected.at(-1)),
      LIMIT,
    );
    // What would come twice behind the last one.
    await sleep(1_000);
    const repeated = receivers.map(({ ids }) => repetitions(ids, expected));
    assert.ok(Math.max(...repeated) <= rounds, `${Math.max(...repeated)} messages came twice.`);
    return (
      `${expected.length} changes at each receiver, in order; ${repeated.join(', ')} of them twice; ` +
      `the last ${(took / 1000).toFixed(0)} s after the last kill`
    );
  });
  await Promise.all(receivers.map((receiver) => receiver[Symbol.asyncDispose]()));
  return row;
}

/** As many changes as there are people, in one request. */
async function changeAll({ ask }: Installed, { key }: KeyedCompany, people: readonly string[], op: 'add' | 'remove') {
  const groups = await ask('/scim/v2/Groups?excludedAttributes=members&filter=displayName%20eq%20%22Managers%22', key);
  const value = people.map((id) => ({ value: id }));
  const path = `/scim/v2/Groups/${groups.body.Resources[0].id}`;
  const { status, body } = await ask(path, key, { method: 'PATCH', body: patchOf({ op, path: 'members', value }) });
  assert.equal(status, 204, JSON.stringify(body));
}

/** The ids of the changes in the order of the feed. */
async function followed({ ask }: Installed, { key }: KeyedCompany, from: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next = from; ; ) {
    const { status, body } = await ask(`/api/events/list?entity=companyRole&limit=1000&after=${next}`, key);
    assert.equal(status, 200, JSON.stringify(body));
    if (body.next === next) return ids;
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    next = body.next;
  }
}

/** A receiver that keeps nothing but which changes came, in their order. */
interface Listener extends AsyncDisposable {
  url: string;
  ids: string[];
}

async function startListener(): Promise<Listener> {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      ids.push(JSON.parse(body).data.id);
      response.end();
    });
  });
  const listening = await listenOnLoopback(server);
  return { url: listening.url, ids, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}

/** How many came again, each right behind itself; all of them have to be there, in order. */
function repetitions(ids: readonly string[], expected: readonly string[]): number {
  const once = ids.filter((id, place) => id !== ids[place - 1]);
  assert.deepEqual(once, expected);
  return ids.length - once.length;
}

/** Two instances, of which one is killed and started again in turn; requests go to the one that lives. */
function killOneOfTwo(): Kill {
  let other: Service | undefined;
  let ports: [string, string] | undefined;
  return async (installed) => {
    const { commandLine, settings } = installed;
    ports ??= [settings.PORT ?? '', String(await freePort())];
    other ??= await commandLine.serve({ ...settings, PORT: ports[1] });
    // The first one answers requests: it is back before the next of them.
    const isFirst = Math.random() < 0.5;
    await (isFirst ? installed.service : other).kill('SIGKILL');
    if (isFirst) await installed.start();
    else other = await commandLine.serve({ ...settings, PORT: ports[1] });
  };
}
