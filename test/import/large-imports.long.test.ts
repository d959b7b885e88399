import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { Database, Session } from '../../src/db/database.ts';
import { connectionError } from '../../src/db/database-errors.ts';
import { undoUnfinishedImport } from '../../src/features/people/import/write-people.ts';
import { openAdministration } from '../administration/administration.ts';
import { clonePGlite } from '../support/test-database.ts';

/* On an embedded database, whose transactions keep all other work waiting. */

/** Called before each transaction of an import. */
let beforeTransaction: () => Promise<void> = async () => undefined;

async function openWatchedDatabase() {
  const db = await clonePGlite('migrated');
  const watched = (session: Session): Session => ({
    ...session,
    async transaction(work) {
      await beforeTransaction();
      return session.transaction(work);
    },
  });
  const session: Database['session'] = (work) => db.session((one) => work(watched(one)));
  return { ...db, session };
}

const administration = await openAdministration(openWatchedDatabase);
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, add } = administration;

const PEOPLE = 2500;
const rows = (lastName: string, more: readonly string[] = []) =>
  [
    'email,firstName,lastName,roles',
    ...Array.from({ length: PEOPLE }, (_, index) => `p${index}@many.example,Ana,${lastName},EMPLOYEE`),
    ...more,
  ].join('\n');
const token = await api.tokenFor(admin.email);
const send = (csv: string) =>
  api.app.inject({
    method: 'POST',
    url: '/api/users/import',
    query: { companyId: home.id },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    payload: csv,
  });
const namesNow = async () => {
  const found = await api.db.query<{ name: string; people: number }>(
    sql`select last_name as name, count(*)::integer as people from users where email like '%@many.example' group by 1 order by 1`,
  );
  return Object.fromEntries(found.map(({ name, people }) => [name, people]));
};
const roles = async () => {
  const [count] = await api.db.query<{ roles: number }>(sql`select count(*)::integer as roles from company_roles`);
  return count?.roles ?? 0;
};

/** Runs an import, and work once so many of its pieces are written. */
async function inside(csv: string, pieces: number, work: () => Promise<void>) {
  let isDone = false;
  beforeTransaction = async () => {
    if (isDone) return;
    const [kept] = await api.db.query<{ rows: number }>(sql`select count(*)::integer as rows from unfinished_imports`);
    if ((kept?.rows ?? 0) < pieces * 1000) return;
    isDone = true;
    await work();
  };
  const response = await send(csv);
  beforeTransaction = async () => undefined;
  assert.ok(isDone);
  return response;
}

describe('a large import on an embedded database', () => {
  it('a large import on an embedded database is written in pieces, and is complete at its end', async () => {
    const before = await roles();
    const response = await inside(rows('First'), 1, async () => {
      const { First: written = 0 } = await namesNow();
      assert.ok(written >= 1000 && written < PEOPLE, `${written} of ${PEOPLE}`);
    });
    assert.deepEqual([response.statusCode, response.json().data.added], [200, PEOPLE]);
    assert.deepEqual([await namesNow(), await roles()], [{ First: PEOPLE }, before + PEOPLE]);
    assert.deepEqual(await api.db.query(sql`select from unfinished_imports`), []);
    assert.equal((await send(rows('First'))).json().data.unchanged, PEOPLE);
  });

  it('a large import that fails between two pieces leaves nothing, and one with a conflict is repeated', async () => {
    const { id } = await add();
    const before = await roles();
    const late = Array.from({ length: 200 }, (_, index) => `late${index}@many.example,Bo,Late,MANAGER`);
    const response = await inside(rows('Second', late), 1, async () => {
      await api.db.query(sql`update users set email = 'late150@many.example' where id = ${id}::uuid`);
    });
    assert.equal(response.statusCode, 200, 'tried again, it finds the person who has the address');
    const failed = await inside(rows('Third', ['gone@many.example,Bo,Gone,EMPLOYEE']), 2, async () => {
      beforeTransaction = async () => undefined;
      throw connectionError('CONNECTION_CLOSED', 'The database went away');
    });
    assert.equal(failed.statusCode, 503);
    const lost = await inside(rows('Fourth'), 1, async () => {
      await api.db.query(sql`delete from company_roles where user_id = ${admin.id}::uuid`);
    });
    assert.equal(lost.statusCode, 403);
    await api.db.query(sql`
      insert into company_roles (user_id, company_id, role) values (${admin.id}::uuid, ${home.id}::uuid, 'CORPORATE_ADMIN')`);
    const names = await namesNow();
    assert.deepEqual(
      [names.Second, names.Third, names.Gone, names.Fourth, names.Late],
      [PEOPLE, undefined, undefined, undefined, 200],
    );
    assert.equal(await roles(), before + 200);
  });

  it('a large import that was killed between two pieces is undone at the next start', async () => {
    const before = await namesNow();
    await api.db.query(sql`
      insert into unfinished_imports (user_id, company_id, before, roles)
      select id, company_id, to_jsonb(users), '{MANAGER}' from users where email = 'p1@many.example'`);
    await api.db.query(sql`update users set last_name = 'Half' where email = 'p1@many.example'`);
    await undoUnfinishedImport(api.db);
    assert.deepEqual(await namesNow(), before);
    const held = await api.db.query<{ role: string }>(sql`
      select role from company_roles join users on users.id = user_id where email = 'p1@many.example'`);
    assert.deepEqual(held, [{ role: 'MANAGER' }]);
  });
});
