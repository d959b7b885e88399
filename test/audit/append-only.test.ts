import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { sqlState } from '../../src/db/database.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { countChanges, endOfFeed, follow, trailFor } from './trail.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const RESTRICTED = '23001';

/** What neither a mistake nor a bad intention does to the trail. */
const REFUSED = [
  sql`delete from audit_changes`,
  sql`delete from audit_changes where false`,
  sql`truncate audit_changes cascade`,
  sql`update audit_changes set changed_at = now()`,
  sql`update audit_changes set actor_id = gen_random_uuid() where actor_kind = 'user'`,
  sql`update audit_changes set request_id = 'another' where actor_kind = 'user'`,
  sql`update audit_changes set fields = '{gender,phone}', position = 7 where actor_kind = 'user'`,
  sql`update audit_changes set field_values = '{}'`,
  sql`update audit_changes set position = position + 1000000 where position is not null`,
  sql`update audit_changes set position = null where position is not null`,
  sql`update audit_personal_values set field_values = '{}'`,
  sql`truncate audit_personal_values`,
];

/** The grants that the documentation names. */
function documentedGrants(): string {
  const [, grants] = /(\ngrant select .*)/s.exec(readFileSync('deploy/postgres/rights.sql', 'utf8')) ?? [];
  assert.ok(grants);
  return grants;
}

describe('the database', () => {
  it('the database refuses to change or remove rows of the audit trail', async () => {
    const person = await addPerson(db);
    await updateProfile(api, 'POST', person.email, { gender: 'Other' });
    await follow(api, person.email);
    await updateProfile(api, 'POST', person.email, { gender: 'Another' });
    const trail = await trailFor(api, person.email);
    for (const statement of REFUSED) {
      await assert.rejects(db.query(statement), (error) => {
        assert.equal(sqlState(error), RESTRICTED, `${statement.text}: ${String(error)}`);
        return true;
      });
    }
    assert.deepEqual(await trailFor(api, person.email), trail);
  });

  it('the database refuses a second change at one position of the feed', async () => {
    await assert.rejects(db.query(sql`update audit_changes set position = 5000001 where position is null`), {
      code: '23505',
    });
  });

  it('a database role with the documented rights can write, read and publish the trail, and no more', async () => {
    const person = await addPerson(db);
    const role = `orgdesk_least_${process.pid}`;
    const [{ name } = { name: '' }] = await db.query<{ name: string }>(sql`select current_database() as name`);
    const limited = db.transaction(async (transaction) => {
      await transaction.run(`
        create role ${role};
        ${documentedGrants().replaceAll('orgdesk_service', role).replaceAll('on database orgdesk ', `on database "${name}" `)}
        set local role ${role};
        with added as (
          insert into audit_changes (actor_kind, run_id, action, entity, entity_id, user_id, fields)
          values ('import', gen_random_uuid(), 'changed', 'user', 'x', '${person.id}', '{gender}') returning id)
        insert into audit_personal_values select id, '{"gender": ["a", "b"]}' from added;
        select publish_audit_changes(100000);`);
      for (const statement of [
        'delete from audit_personal_values',
        `select erase_audit_values('${person.id}')`,
        'delete from audit_changes',
        `update audit_changes set request_id = 'another'`,
        'alter table audit_changes disable trigger user',
      ]) {
        await transaction.run('savepoint before');
        await assert.rejects(transaction.run(statement), { code: '42501' });
        await transaction.run('rollback to before');
      }
      throw new Error('undo all');
    });
    await assert.rejects(limited, /undo all/);
  });
});

describe('erasing what the audit trail keeps of a person', () => {
  it('erasing a person from the audit trail erases personal values, keeps the others, and is recorded', async () => {
    const [person, other] = [await addPerson(db), await addPerson(db)];
    for (const { email } of [person, other]) {
      await updateProfile(api, 'POST', email, { gender: 'Other', phone: '+353 1 555 0199' });
    }
    const [before] = await trailFor(api, person.email);
    const start = await endOfFeed(api, person.email);
    assert.ok(before);
    const [row] = await db.query<{ erased: number }>(sql`select erase_audit_values(${person.id}) as erased`);
    assert.equal(row?.erased, 1);

    const [erasure, change, ...rest] = await trailFor(api, person.email);
    assert.deepEqual(rest, []);
    const gone = before.changes.map(({ field }) => ({ field, before: null, after: null, kept: false }));
    // Nor does the change say the name any more.
    assert.deepEqual(change, { ...before, changes: gone, actorName: null, entityName: null, names: change?.names });
    assert.deepEqual(
      [erasure?.action, erasure?.actor.kind, erasure?.userId, erasure?.changes],
      ['erased', 'command', person.id, []],
    );
    const { actorName: _, entityName: __, names: ___, ...followed } = erasure ?? assert.fail();
    assert.deepEqual((await follow(api, person.email, { after: start })).items, [followed]);
    assert.equal((await trailFor(api, other.email))[0]?.changes[0]?.kept, true);

    const count = await countChanges(db);
    await db.query(sql`select erase_audit_values(${person.id})`);
    assert.equal(await countChanges(db), count);
  });
});
