import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { Context } from '../../src/app/context.ts';
import { importCommand } from '../../src/commands/import-command.ts';
import type { Database, Session } from '../../src/db/database.ts';
import { lockCompanyImports } from '../../src/features/people/import/import-people.ts';
import { type Deferred, deferred } from '../../src/lib/deferred.ts';
import { openAdministration, personFields } from '../administration/administration.ts';
import { makeFolder } from '../import/folders.ts';
import { openTestDatabase } from '../support/test-database.ts';

/** A step of an import that waits until it is let go on. */
interface Held {
  reached: Deferred<void>;
  goOn: Deferred<void>;
}

let held: Held | undefined;
const hold = () => {
  held = { reached: deferred(), goOn: deferred() };
  return held;
};

/** A database whose imports wait, where they are to be held, once their rows are checked: before they write. */
async function openHoldingDatabase() {
  const db = await openTestDatabase();
  const holding = (session: Session): Session => {
    let isStaged = false;
    return {
      ...session,
      async copyInto(...given) {
        await session.copyInto(...given);
        isStaged = true;
      },
      async transaction(work) {
        const step = isStaged ? held : undefined;
        if (step !== undefined) held = undefined;
        step?.reached.resolve();
        await step?.goOn.promise;
        return session.transaction(work);
      },
    };
  };
  const session: Database['session'] = (work) => db.session((one) => work(holding(one)));
  return { ...db, session };
}

const administration = await openAdministration(openHoldingDatabase);
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, foreignAdmin, superAdmin, post, withoutTrace } = administration;
const table = (email: string) => `email,firstName,lastName\n${email},Ana,Lee\n`;
const address = () => `${randomUUID()}@new.example`;
const send = (csv: string, as = admin, company = home) =>
  api.app.inject({
    method: 'POST',
    url: '/api/users/import',
    query: { companyId: company.id, changes: 'true' },
    headers: { authorization: `Bearer ${tokens.get(as.id)}`, 'content-type': 'text/csv' },
    payload: csv,
  });
const tokens = new Map<string, string>();
for (const { id, email } of [admin, foreignAdmin, superAdmin]) tokens.set(id, await api.tokenFor(email));
const peopleWith = (email: string) => api.db.query(sql`select id from users where email = ${email}`);

describe('an import', () => {
  it('an import returns 503 while another process imports into the company, and 200 for another company', async () => {
    const email = address();
    await api.db.session(async (session) => {
      await lockCompanyImports(session, home.id);
      const busy = await withoutTrace(() => send(table(email)));
      assert.deepEqual([busy.statusCode, busy.headers['retry-after'], busy.json().code], [503, '5', 'OVERLOADED']);
      assert.equal((await send(table(address()), foreignAdmin, other)).statusCode, 200);
    });
    assert.equal((await send(table(email))).json().data.added, 1);
  });

  it('the import command is refused while another process imports into the same company', async () => {
    await using folder = await makeFolder({ 'people.csv': table(address()) });
    const bring = () =>
      importCommand.act(
        { db: api.db } as Context,
        [join(folder.path, 'people.csv')],
        { print: () => undefined, progress: () => undefined, flushed: async () => undefined },
        { company: home.id },
      );
    await api.db.session(async (session) => {
      await lockCompanyImports(session, home.id);
      await assert.rejects(bring(), {
        name: 'UserError',
        message: 'Nothing was imported. Another import of this company is in progress: try again shortly.',
      });
    });
    await bring();
  });

  it('an import returns 503 while another request imports into the company, and 200 for another company', async () => {
    const { reached, goOn } = hold();
    const email = address();
    const first = send(table(email));
    await reached.promise;
    const busy = await send(table(address()));
    assert.deepEqual([busy.statusCode, busy.json().code], [503, 'OVERLOADED']);
    assert.equal((await send(table(address()), superAdmin, other)).json().data.added, 1);
    goOn.resolve();
    assert.equal((await first).json().data.added, 1);
  });

  it('an import finds a person who was created between its checks and its writes', async () => {
    const { reached, goOn } = hold();
    const fields = personFields(home);
    const importing = send(table(fields.email));
    await reached.promise;
    assert.equal((await post(admin, 'users/create', fields)).statusCode, 200);
    goOn.resolve();
    const { added, changed, changes } = (await importing).json().data;
    assert.deepEqual([added, changed, changes[0]?.id], [0, 1, fields.id]);
    assert.equal((await peopleWith(fields.email)).length, 1);
  });

  it('an import whose caller disconnects writes nothing, and the next one succeeds', async () => {
    const { reached, goOn } = hold();
    const email = address();
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const sockets: Socket[] = [];
    api.app.server.on('connection', (socket) => sockets.push(socket));
    const { port } = api.app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${tokens.get(admin.id)}`, 'content-type': 'text/csv' };
    const path = `/api/users/import?companyId=${home.id}`;
    const client = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false }).on(
      'error',
      () => undefined,
    );
    client.end(table(email));
    await withoutTrace(async () => {
      await reached.promise;
      client.destroy();
      for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close');
      goOn.resolve();
      // The lock of the company is free when the one before has come to its end.
      for (;;) {
        const next = await send('email\n');
        if (next.statusCode === 200) break;
        assert.equal(next.json().code, 'OVERLOADED');
      }
    });
    assert.deepEqual(await peopleWith(email), []);
    assert.equal((await send(table(email))).json().data.added, 1);
  });
});
