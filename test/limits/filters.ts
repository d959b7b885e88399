import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { rounded, tryOften } from '../faults/try-often.ts';
import { type DatabaseKind, type Installed, install } from '../support/installed.ts';
import { waitUntil } from '../support/wait-until.ts';
import { importBulk } from './bulk.ts';
import { besideOthers, othersInWords, requestsOfOthers } from './others.ts';
import { sendAttack, statusesInWords } from './sending.ts';

/** Filters at once, and comparisons of each: as many as there may be. */
const [FILTERS, COMPARISONS] = [20, 20];
/** People of a company in which a filter that no index answers is answered. */
const ANSWERED = 10_000;
/** Milliseconds after which the clients go away. */
const PATIENCE = 1_000;
/** Milliseconds after which others are served as before: what one statement may take, and the database opened anew. */
const BACK = 30_000;

/** Twenty filters that no index answers, of clients that go away: in a company that is too large for them, and in one that is just not. */
export async function tryFilters(kind: DatabaseKind, people: number): Promise<string[]> {
  const rows: string[] = [];
  for (const count of new Set([people, Math.min(people, ANSWERED)])) {
    await using installed = await install(kind);
    rows.push(
      await tryOften(
        `${FILTERS} filters of ${COMPARISONS} comparisons without an index, ${count} people, clients that go away after ${rounded(PATIENCE)}; ${kind}`,
        1,
        () => filter(installed, count),
      ),
    );
  }
  return rows;
}

async function filter(installed: Installed, people: number): Promise<string> {
  const port = Number(installed.settings.PORT);
  const company = await importBulk(installed, people);
  const made = { name: 'Directory', scopes: ['scim'], companyId: company.id };
  const { key } = await installed.data('/api/api-keys/create', installed.superAdmin, made);
  const others = await requestsOfOthers(installed);
  const [own] = others;
  assert.ok(own?.token);
  const { token = '', path } = own;
  const words = Array.from({ length: COMPARISONS }, (_, n) => `displayName co "q${n}"`).join(' or ');
  const attack = { method: 'GET', path: `/scim/v2/Users?filter=${encodeURIComponent(words)}`, token: key } as const;
  let [answered, back] = ['', 0];
  const seen = await besideOthers(port, others, async () => {
    const clients = Array.from({ length: FILTERS }, () => new AbortController());
    const answers = Promise.all(clients.map(({ signal }) => sendAttack(port, { ...attack, signal })));
    await sleep(PATIENCE);
    for (const client of clients) client.abort();
    answered = statusesInWords(await answers);
    back = await waitUntil('others to be served again', async () => (await installed.ask(path, token)).status === 200);
  });
  assert.ok(back <= BACK, `Others were served after ${rounded(back)}.`);
  if (people > ANSWERED) {
    assert.equal(answered, `${FILTERS} × 400`);
    assert.deepEqual([...seen.refused], [], 'Another caller was refused.');
  } else {
    for (const status of seen.refused.keys()) assert.equal(status, 503);
  }
  return `${answered}; ${othersInWords(seen)}; served again ${rounded(back)} after the clients had gone`;
}
