import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import type { Sql } from 'sql-template-tag';
import type { IsWanted } from '../../../src/db/database.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { ownersAsked } from '../../support/caller-rows.ts';
import { requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

it('what a caller has asked the database for is not wanted any more once they have gone', async () => {
  const asked: { isWanted: IsWanted | undefined; answer: () => void }[] = [];
  const superAdmin = { userId: 'x', active: true, systemRole: { role: 'SUPER_ADMIN', active: true }, companyRoles: [] };
  async function query<Row extends object>(statement: Sql, isWanted?: IsWanted): Promise<Row[]> {
    if (!statement.text.includes('totalItems'))
      return ownersAsked(statement).map((owner) => ({ owner, ...superAdmin })) as unknown as Row[];
    await new Promise<void>((answer) => {
      asked.push({ isWanted, answer });
    });
    return [{ items: [], totalItems: 0 }] as unknown as Row[];
  }
  await using bare = await buildBareApp({ query });
  const port = await listenLocally(bare.app);
  const token = await bare.context.signToken('11111111-2222-4333-8444-555555555555', 60);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(requestText('GET /api/companies/list', [`Authorization: Bearer ${token}`]));
  await waitUntil('the list to be asked for', () => asked.length === 1);
  assert.equal(asked[0]?.isWanted?.(), true);
  socket.destroy();
  await waitUntil('it to be unwanted', () => asked[0]?.isWanted?.() === false);
  asked[0]?.answer();
});
