import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import { median } from '../../bench/support/medians.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { openPGliteDatabase } from '../../src/embedded/pglite-database.ts';
import { rounded, tryOften } from '../faults/try-often.ts';
import { ENTERPRISE, newUser, scimKey } from '../scim/directory.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addKeyedCompany, type DatabaseKind, install } from '../support/installed.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { startPostgresServer } from '../support/postgres-server.ts';

/** Joiners one after the other, then the same people told again. */
export async function sendJoiners(kind: DatabaseKind, people: number): Promise<string[]> {
  await using installed = await install(kind);
  const { ask, data, superAdmin } = installed;
  const { id: companyId, key } = await addKeyedCompany(installed, ['scim']);
  const joiners = Array.from({ length: people }, (_, number) =>
    newUser({
      userName: `joiner.${number}@big.example`,
      externalId: `00u${number}`,
      phoneNumbers: [{ value: `+91 98450 ${10_000 + number}`, type: 'work' }],
      [ENTERPRISE]: { department: `Department ${number % 10}` },
    }),
  );
  const rows = async () => (await ask(`/api/audit/list?companyId=${companyId}`, superAdmin)).body.pagination.totalItems;
  const made: { id: string }[] = [];
  const send = (each: object, method: string, path: string) =>
    ask(`/scim/v2/Users${path}`, key, { method, body: each });
  const joining = await tryOften(`${people} joiners, one after the other; ${kind}`, 1, async () => {
    const took = await timeOfEach(joiners, async (joiner) => {
      const { status, body } = await send(joiner, 'POST', '');
      assert.equal(status, 201, JSON.stringify(body));
      made.push(body);
    });
    const { totalItems } = (await ask(`/api/users/list?companyId=${companyId}`, superAdmin)).body.pagination;
    assert.equal(totalItems, people);
    return formatTimes(took);
  });
  const before = await rows();
  const telling = await tryOften(`${people} unchanged PUTs; ${kind}`, 1, async () => {
    const took = await timeOfEach(made, async (each) => {
      const { status, body } = await send(each, 'PUT', `/${each.id}`);
      assert.deepEqual([status, body], [200, each]);
    });
    assert.equal(await rows(), before);
    return `${formatTimes(took)}; no trail`;
  });
  assert.ok(await data('/api/users/profile', superAdmin));
  return [joining, telling];
}

/** The first synchronisation of a company at the rate that a key has: each person is looked for, then added; a 429 is waited for. */
export async function synchroniseFirst(kind: DatabaseKind, people: number): Promise<string[]> {
  // Calls of this machine count only where a proxy forwards them.
  await using installed = await install(kind, { RATE_LIMIT_SCIM: '1800', TRUST_PROXY: '127.0.0.1' });
  const { key } = await addKeyedCompany(installed, ['scim']);
  let [requests, refused] = [0, 0];
  const send = async (path: string, body?: object): Promise<number> => {
    for (;;) {
      requests++;
      const response = await fetch(`http://127.0.0.1:${installed.settings.PORT}/scim/v2/Users${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/scim+json',
          'x-forwarded-for': '203.0.113.7',
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (response.status !== 429) return response.status;
      refused++;
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
  };
  const synchronised = await tryOften(`a first synchronisation of ${people} people; ${kind}`, 1, async () => {
    const began = performance.now();
    const left = Array.from({ length: people }, (_, number) => `first.${number}@sync.example`);
    // Entra ID and Okta send a few requests at once.
    const worker = async () => {
      for (let userName = left.pop(); userName !== undefined; userName = left.pop()) {
        const filter = encodeURIComponent(`userName eq "${userName}"`);
        assert.equal(await send(`?filter=${filter}`), 200);
        assert.equal(await send('', newUser({ userName, externalId: userName })), 201);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds < Math.max(60, (people / 8000) * 600), `${seconds} s`);
    return `${(seconds / 60).toFixed(1)} minutes, ${requests} requests, of which ${refused} were a 429 and sent again`;
  });
  return [synchronised];
}

async function timeOfEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (const item of items) {
    const began = performance.now();
    await work(item);
    times.push(performance.now() - began);
  }
  return times;
}

function formatTimes(times: readonly number[]): string {
  const total = times.reduce((sum, each) => sum + each, 0);
  return `${((times.length * 1000) / total).toFixed(0)} a second; median ${median(times).toFixed(1)} ms, slowest ${rounded(Math.max(...times))}`;
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text;
}

const BATCH = 1_000;
/** How many times as long as the bare COPY a batch may take. */
const GOAL = 5;

/** Batches of bookings next to the bare COPY of such rows into the same table, in turn. */
export async function recordBookings(kind: DatabaseKind, rounds: number): Promise<string[]> {
  await using server =
    kind === 'server' ? await startPostgresServer({ fsync: 'on', synchronous_commit: 'on' }) : undefined;
  const open = async (): Promise<Database> => {
    const db = server ? openPostgresDatabase({ url: server.url, maxConnections: 4 }) : await openPGliteDatabase({});
    await migrate(db);
    return db;
  };
  await using api = await buildTestApp({ RATE_LIMIT_USER: '0', RATE_LIMIT_SCIM: '0' }, open);
  const company = await addCompany(api.db, 'Booking');
  const people = await Promise.all(Array.from({ length: 50 }, () => addPerson(api.db, { company })));
  const { key } = await scimKey(api.db, company.id);
  await api.db.query(sql`update api_keys set scopes = 'bookings.write'`);
  let last = 0;
  const rows = () =>
    Array.from({ length: BATCH }, (_, number) => {
      last += 1;
      const userId = people[number % people.length]?.id ?? '';
      return {
        id: `BK-${last}`,
        companyId: company.id,
        userId,
        amount: `${100 + number}.50`,
        createdAt: '2026-01-31T09:30:00.000Z',
      };
    });
  const times = { record: [] as number[], copy: [] as number[] };
  const record = async () => {
    const payload = JSON.stringify({ bookings: rows() });
    const began = performance.now();
    const response = await api.app.inject({
      method: 'POST',
      url: '/api/bookings/record',
      payload,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    times.record.push(performance.now() - began);
    assert.equal(response.statusCode, 200, response.body);
    assert.equal(response.json().data.added, BATCH);
  };
  const copy = async () => {
    const text = rows()
      .map((row) => `${Object.values(row).join('\t')}\n`)
      .join('');
    const began = performance.now();
    await api.db.session((session) =>
      session.copyInto(raw('bookings (id, company_id, user_id, amount, created_at)'), piecesOf(text)),
    );
    times.copy.push(performance.now() - began);
  };
  const name = `a batch of ${BATCH} bookings, in the median of ${rounds}, beside the bare COPY of such rows; ${kind}`;
  const row = await tryOften(name, 1, async () => {
    for (let round = -3; round < rounds; round++) {
      if (round === 0) times.record.length = times.copy.length = 0;
      await record();
      await copy();
    }
    const [batch, bare] = [median(times.record), median(times.copy)];
    const seen = `${batch.toFixed(1)} ms beside ${bare.toFixed(1)} ms: ${(batch / bare).toFixed(2)} times as long`;
    assert.ok(batch <= GOAL * bare, seen);
    return seen;
  });
  return [row];
}
