import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Server } from 'node:net';
import { it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import type { IsWanted } from '../../../src/db/database.ts';
import { callByTheClock, openWorkQueue } from '../../../src/embedded/work-queue.ts';
import { deferred } from '../../../src/lib/deferred.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { ownersAsked } from '../../support/caller-rows.ts';
import { collectLog } from '../../support/collect-log.ts';
import { requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SUPER_ADMIN = {
  userId: 'x',
  active: true,
  works: true,
  systemRole: { role: 'SUPER_ADMIN', active: true },
  companyRoles: [],
};

it('database work of a caller that has disconnected is dropped', async () => {
  const requested: { isWanted: IsWanted | undefined; answer: () => void }[] = [];
  async function query<Row extends object>(statement: Sql, isWanted?: IsWanted): Promise<Row[]> {
    if (!statement.text.includes('totalItems'))
      return ownersAsked(statement).map((owner) => ({ owner, ...SUPER_ADMIN })) as unknown as Row[];
    await new Promise<void>((answer) => {
      requested.push({ isWanted, answer });
    });
    return [{ items: [], totalItems: 0 }] as unknown as Row[];
  }
  await using bare = await buildBareApp({ query });
  const port = await listenLocally(bare.app);
  const token = await bare.context.signToken('11111111-2222-4333-8444-555555555555', 60);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(requestText('GET /api/companies/list', [`Authorization: Bearer ${token}`]));
  await waitUntil('the list to be asked for', () => requested.length === 1);
  assert.equal(requested[0]?.isWanted?.(), true);
  socket.destroy();
  await waitUntil('it to be unwanted', () => requested[0]?.isWanted?.() === false);
  requested[0]?.answer();
});

it('dropped work of a disconnected caller is not logged as an error', async () => {
  const held = deferred();
  const queue = openWorkQueue(callByTheClock);
  let waiting = 0;
  async function query<Row extends object>(statement: Sql, isWanted?: IsWanted): Promise<Row[]> {
    const owners = isWanted === undefined ? ownersAsked(statement) : [];
    if (owners.length > 0) return owners.map((owner) => ({ owner, ...SUPER_ADMIN })) as unknown as Row[];
    // When somebody signed in is noted without being waited for.
    if (isWanted === undefined) return [];
    waiting += 1;
    return queue.run(async () => [{ items: [], totalItems: 0 }] as unknown as Row[], isWanted);
  }
  const blocked = queue.runLong(() => held.promise);
  const { log, lines } = collectLog();
  await using bare = await buildBareApp({ query, log, settings: { LOG_LEVEL: 'info' } });
  const port = await listenLocally(bare.app);
  const token = await bare.context.signToken('11111111-2222-4333-8444-555555555555', 60);
  const request = requestText('GET /api/companies/list', [`Authorization: Bearer ${token}`]);
  const [gone, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  gone.write(request);
  await waitUntil('the first list to wait', () => waiting === 1);
  other.write(request);
  await waitUntil('the second list to wait', () => waiting === 2);
  gone.destroy();
  await waitUntil('one connection to be left', async () => (await connections(bare.app.server)) === 1);
  held.resolve();
  await Promise.all([blocked, once(other, 'data')]);
  other.destroy();
  assert.deepEqual(
    lines.filter(({ level }) => level >= 40),
    [],
  );
});

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
