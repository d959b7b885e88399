import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { accountOf, openAccounts } from '../auth/provider-accounts.ts';
import { createUser, directoryFor } from '../scim/directory.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { addPerson } from '../support/people.ts';
import { fileOf, openFeed, peopleOf } from './nightly-feed.ts';

const provider = await startIdentityProvider();
after(() => provider[Symbol.asyncDispose]());
const [api, provided] = [await buildTestApp(), await buildTestApp(provider.settings)];
for (const each of [api, provided]) after(() => each[Symbol.asyncDispose]());
const { viewAs, signIn } = openAccounts(provided, provider);

describe('a file of everybody that does too much', () => {
  it('a status filled down with Terminated is refused with the number of people, and imported after a confirmation', async () => {
    const { bring, stopped, state } = await openFeed(api, 'Terminated');
    const people = peopleOf(20, 'terminated.example');
    await bring(fileOf(people));
    const wrong = fileOf(people.map((one) => ({ ...one, status: 'Terminated' })));
    const { over, confirm, problems } = await stopped(wrong, { maxLeavers: '5' });
    assert.deepEqual([over.maxLeavers?.count, over.maxLeavers?.allowed, problems.length], [20, 5, 1]);
    assert.deepEqual(
      over.maxLeavers?.examples.map(({ line, email }) => [line, email]),
      [
        [2, 'p1@terminated.example'],
        [3, 'p2@terminated.example'],
        [4, 'p3@terminated.example'],
      ],
    );
    assert.match(over.maxLeavers?.looksLike ?? '', /filled down/);
    assert.match(
      problems[0]?.message ?? '',
      new RegExp(`^20 active people would be deactivated.*confirm "${confirm}"`),
    );
    const dry = await bring(wrong, { dryRun: 'true' });
    assert.deepEqual([dry.leavers, dry.over?.[0]?.limit, dry.confirm === ''], [20, 'maxLeavers', false]);
    await stopped(wrong.replace('First1,', 'First99,'), { maxLeavers: '5', confirm });
    const done = await bring(wrong, { maxLeavers: '5', confirm });
    assert.equal(done.leavers, 20);
    assert.ok((await state()).every(({ status }) => status === 'Terminated'));
  });

  it('last days that are over count as leavers, without mode=all only where maxLeavers is given', async () => {
    const { bring, stopped } = await openFeed(api, 'Last days');
    const people = peopleOf(4, 'last.example');
    await bring(fileOf(people));
    const file = `employeeNumber,endDate\n${people.map(({ number }) => `${number},2020-01-31`).join('\n')}\n`;
    const { over } = await stopped(file, { mode: 'some', maxLeavers: '3' });
    assert.equal(over.maxLeavers?.count, 4);
    assert.equal((await bring(file, { mode: 'some' })).changed, 4);
  });

  it('addresses moved by a line, names of others, swapped names and a filled department are named as what they look like', async () => {
    const { bring, stopped } = await openFeed(api, 'Mistakes');
    const people = peopleOf(30, 'mistakes.example');
    await bring(fileOf(people));
    const at = (index: number) => people[index % people.length] ?? people[0];
    const shifted = await stopped(fileOf(people.map((one, index) => ({ ...one, email: at(index + 1)?.email ?? '' }))));
    assert.deepEqual([shifted.over.maxAddresses?.count, shifted.over.maxAddresses?.allowed], [30, 4]);
    assert.match(shifted.over.maxAddresses?.looksLike ?? '', /pass from one person to another/);
    assert.match(shifted.over.maxChanged?.looksLike ?? '', /pass from one person to another/);
    const others = people.map((one) => ({
      ...one,
      first: `X${one.first}`,
      last: `Y${one.last}`,
      email: `o.${one.email}`,
    }));
    assert.match((await stopped(fileOf(others))).over.maxChanged?.looksLike ?? '', /another company/);
    const swapped = people.map((one) => ({ ...one, first: one.last, last: one.first }));
    assert.match((await stopped(fileOf(swapped))).over.maxChanged?.looksLike ?? '', /first and last names/);
    const filled = await stopped(fileOf(people.map((one) => ({ ...one, department: 'Finance' }))));
    assert.deepEqual([filled.over.maxMoved?.count, filled.over.maxChanged], [20, undefined]);
    assert.match(filled.over.maxMoved?.looksLike ?? '', /filled down/);
    const noManagers = await stopped(fileOf(people.map((one) => ({ ...one, manager: '' }))));
    assert.deepEqual([noManagers.over.maxMoved?.count, noManagers.over.maxMoved?.examples[0]?.line], [29, 3]);
    const few = people.map((one, index) => (index < 3 ? { ...one, last: `${one.last}-Married` } : one));
    assert.equal((await bring(fileOf(few))).changed, 3);
    await stopped(fileOf(people), { maxChanged: '0' });
    assert.equal((await bring(fileOf(people), { maxChanged: '10' })).changed, 3);
    await bring(fileOf(swapped), { maxChanged: '100' });
  });

  it('addresses moved by a line, names of others and swapped names are confirmed without mode=all too, three exchanged addresses are not', async () => {
    const { bring, stopped } = await openFeed(api, 'Some people');
    const people = peopleOf(12, 'some.example');
    await bring(fileOf(people));
    const some = { mode: 'some' };
    const rotated = (count: number) =>
      people.slice(0, count).map((one, index) => ({ ...one, email: people[(index + 1) % count]?.email ?? '' }));
    const shifted = await stopped(fileOf(rotated(4)), some);
    assert.deepEqual([shifted.over.maxAddresses?.count, shifted.over.maxAddresses?.allowed], [4, 0]);
    await stopped(fileOf(people.map((one) => ({ ...one, first: one.last, last: one.first }))), some);
    await stopped(fileOf(people.map((one) => ({ ...one, first: `X${one.first}`, last: `Y${one.last}` }))), some);
    assert.equal((await bring(fileOf(rotated(3)), some)).changed, 3);
    const married = people.slice(5).map((one) => ({ ...one, last: `${one.last}-Married` }));
    assert.equal((await bring(fileOf(married), some)).changed, 7);
    assert.equal((await bring(fileOf(rotated(4)), { ...some, confirm: shifted.confirm })).changed, 2);
  });

  it('an older file than the last one gets 409 until it is confirmed, by date-time, name or column', async () => {
    const { bring, send, stopped } = await openFeed(api, 'Ages');
    const people = peopleOf(6, 'ages.example');
    await bring(fileOf(people), { asOf: '2026-11-27T02:00:00Z' });
    await bring(fileOf(people), { asOf: 'people_20261127-0200.csv' });
    const { confirm } = await stopped(fileOf(people), { asOf: 'people-2026-11-26.csv' }, 409);
    assert.equal((await send(fileOf(people), { asOf: 'people-2026-11-26.csv' })).code, 'OUTDATED');
    await bring(fileOf(people), { asOf: 'people-2026-11-26.csv', confirm });
    await bring(fileOf(people), { asOf: '2026-11-26T02:00:00Z', feed: 'contractors' });
    const dated = `${fileOf(people).replace('Status\n', 'Status,Exported\n').replaceAll('Active\n', 'Active,25.11.2026\n')}`;
    const choices = JSON.stringify({ columns: { Exported: '' } });
    await stopped(dated, { asOf: 'Exported', choices }, 409);
    await bring(dated.replaceAll('25.11', '28.11'), { asOf: 'Exported', choices });
    const { data } = await send(fileOf(people), { asOf: 'soon' });
    assert.match(data.problems[0]?.message ?? '', /has no date/);
  });

  it('with scope=file only people whom the feed brought leave, and never the first administrator whom no file had', async () => {
    const { bring, admin, company } = await openFeed(api, 'Scopes');
    const byHand = await addPerson(api.db, { company });
    const people = peopleOf(3, 'scopes.example');
    assert.equal((await bring(fileOf(people), { scope: 'file' })).leavers, 0);
    assert.equal((await bring(fileOf(people.slice(0, 2)), { scope: 'file', maxLeavers: '9' })).leavers, 1);
    const { leavers, leaving } = await bring(fileOf(people.slice(0, 2)), { maxLeavers: '9' });
    assert.deepEqual([leavers, leaving?.map(({ id }) => id)], [1, [byHand.id]]);
    const [kept] = await api.db.query<{ active: boolean }>(sql`select active from users where id = ${admin.id}::uuid`);
    assert.equal(kept?.active, true);
  });

  it('an import returns 400 with the columns of the last file that are gone, where others are left out', async () => {
    const { bring, stopped } = await openFeed(api, 'Columns');
    const people = peopleOf(3, 'columns.example');
    await bring(fileOf(people), { choices: '{"columns":{"*":""}}' });
    const without = fileOf(people).replace('Status', 'State of work');
    const { over, confirm } = await stopped(without, { choices: '{"columns":{"*":""}}' });
    assert.match(over.columns?.message ?? '', /"Status" \(active\)/);
    await bring(without, { choices: '{"columns":{"*":"","Status":""}}' });
    await bring(without, { choices: '{"columns":{"*":""}}', confirm });
  });

  it('an address that is corrected by number ends the first sign-in by the wrong one', async () => {
    const { bring } = await openFeed(provided, 'Signing in', (email) => signIn(accountOf(email)));
    const people = peopleOf(8, 'signs.example');
    await bring(fileOf(people));
    const [ada, bob, eve] = people.map(({ email }) => accountOf(email));
    assert.ok(ada && bob && eve);
    const numberOf = async (account: object) => {
      const { data } = (await viewAs(account as typeof ada)).json();
      const [found] = await provided.db.query<{ number: string }>(sql`
        select employee_number as number from users where id = ${data?.id ?? null}::uuid`);
      return found?.number;
    };
    assert.equal(await numberOf(eve), '3');
    const shifted = people.map((one, index) => ({ ...one, email: people[(index + 1) % 8]?.email ?? '' }));
    await bring(fileOf(shifted), { maxChanged: '100' });
    assert.equal(await numberOf(bob), '1');
    assert.equal(await numberOf(eve), '3');
    await bring(fileOf(people), { maxChanged: '100' });
    assert.deepEqual([await numberOf(ada), await numberOf(bob), await numberOf(eve)], ['1', '2', '3']);
  });
});

describe('an address in a file that somebody else had', () => {
  it('an address that somebody else had goes to a newcomer with another number, and the former person loses it, in one file or over time', async () => {
    const { bring, state, company } = await openFeed(api, 'Reused');
    const people = peopleOf(6, 'reused.example');
    await bring(fileOf(people));
    const [first, second, third, ...others] = people;
    assert.ok(first && second && third);
    await bring(fileOf([first, third, ...others]), { maxLeavers: '1' });
    const heir = { ...second, number: '50', first: 'Hera', last: 'Heir', manager: '' };
    const { added, notes } = await bring(fileOf([first, third, ...others, heir]));
    assert.deepEqual([added, notes?.length], [1, 1]);
    assert.match(notes?.[0]?.message ?? '', /is a newcomer now/);
    const gone = { ...third, status: 'Terminated' };
    const next = { ...third, number: '51', first: 'Nia', last: 'Next', manager: '' };
    await bring(fileOf([first, gone, ...others, heir, next]), { maxLeavers: '1' });
    const rows = await state();
    const find = (number: string) => rows.find((one) => one.number === number);
    assert.deepEqual([find('50')?.email, find('51')?.email], [second.email, third.email]);
    for (const number of ['2', '3']) assert.match(find(number)?.email ?? '', /@former\.invalid$/);
    assert.deepEqual([find('2')?.status, find('3')?.status], ['Terminated', 'Terminated']);
    const again = await bring(fileOf([first, gone, ...others, heir, next]));
    assert.deepEqual([again.added, again.changed], [0, 0]);
    assert.equal((await api.db.query(sql`select from users where company_id = ${company.id}::uuid`)).length, 9);
  });

  it('an address that somebody else had goes to a newcomer where both names differ, and the import returns 400 where neither names nor numbers decide', async () => {
    const { send, bring, company } = await openFeed(api, 'Without numbers');
    const some = { mode: 'some' };
    const lines = (...people: string[]) => `email,firstName,lastName,active\n${people.join('\n')}\n`;
    const [one, two, three] = ['one', 'two', 'three'].map((name) => `${name}@without.example`);
    const names = [`${one},Ann,One`, `${two},Ben,Two`, `${three},Cas,Three`];
    await bring(lines(...names.map((line) => `${line},true`)), some);
    await bring(lines(...names.map((line) => `${line},false`)), some);
    const back = lines(`${one},Zoe,Xu,true`, `${two},Ben,Married,true`, `${three},Cas,Three,true`);
    const asked = await send(back, some);
    assert.deepEqual([asked.status, asked.data.problems.map(({ line }) => line)], [400, [3, 4]]);
    assert.match(asked.data.problems[0]?.message ?? '', /who may be the same: .*choose newcomer true or false/);
    const { added, changed } = await bring(back, { ...some, choices: '{"newcomer":false}' });
    assert.deepEqual([added, changed], [1, 3]);
    const rows = await api.db.query<{ email: string; active: boolean }>(sql`
      select email, active from users where company_id = ${company.id}::uuid and last_name in ('One', 'Xu', 'Married', 'Three')
       order by last_name`);
    assert.deepEqual(rows.slice(0, 1).concat(rows.slice(2)), [
      { email: two, active: true },
      { email: three, active: true },
      { email: one, active: true },
    ]);
    assert.match(rows[1]?.email ?? '', /@former\.invalid$/);
    const gone = lines(`${two},Ben,Married,false`);
    await bring(gone, some);
    const other = await bring(lines(`${two},Ben,Two,true`), { ...some, choices: '{"newcomer":true}' });
    assert.deepEqual([other.added, other.changed], [1, 1]);
  });
});

it('the external id of somebody who has left makes a newcomer, brings the person back, or is asked', async () => {
  const { send, bring, company } = await openFeed(api, 'External ids of leavers');
  const lines = (...people: string[]) =>
    `email,firstName,lastName,dateOfBirth,externalId,active\n${people.join('\n')}\n`;
  const file = (active: boolean) =>
    lines(
      ...['Ann', 'Ben', 'Cas', 'Dee'].map((name) => `${name}@ext.example,${name},Old,1990-01-02,${name},${active}`),
    );
  for (const active of [true, false]) await bring(file(active), { mode: 'some' });
  const back = lines(
    'zoe@ext.example,Zoe,Xu,,Ann,true',
    'ben.old@ext.example,Ben,Old,1990-01-02,Ben,true',
    'cas.new@ext.example,Cas,Married,,Cas,true',
    'dee@ext.example,Dee,Old,,Other,true',
  );
  const asked = await send(back, { mode: 'some' });
  assert.deepEqual([asked.status, new Set(asked.data.problems.map(({ line }) => line))], [400, new Set([4, 5])]);
  const { added, changed } = await bring(back, { mode: 'some', choices: '{"newcomer":false}' });
  assert.deepEqual([added, changed], [1, 4]);
  const rows = await api.db.query<{ person: string }>(sql`
    select first_name || ' ' || split_part(email, '@', 2) || ' ' || coalesce(external_id, '-') || ' ' || active as person from users
     where company_id = ${company.id}::uuid and last_name in ('Old', 'Xu', 'Married') order by first_name`);
  assert.deepEqual(
    rows.map(({ person }) => person),
    [
      'Ann former.invalid - false',
      'Ben ext.example Ben true',
      'Cas ext.example Cas true',
      'Dee ext.example Other true',
      'Zoe ext.example Ann true',
    ],
  );
});

it('an import returns 400 for an External ID that would replace that of a directory, until it is chosen', async () => {
  const { send, bring, company } = await openFeed(api, 'External ids');
  const directory = await directoryFor(api, company);
  const { id, userName } = await createUser(directory, { externalId: 'okta-1' });
  const file = `email,externalId\n${userName},7\n`;
  const { status, data } = await send(file, { mode: 'some' });
  assert.deepEqual([status, data.problems[0]?.column], [400, 'externalId']);
  const idAfter = async (choice: string) => {
    await bring(file, { mode: 'some', choices: JSON.stringify({ externalIds: choice }) });
    const [found] = await api.db.query<{ id: string }>(sql`select external_id as id from users where id = ${id}::uuid`);
    return found?.id;
  };
  assert.deepEqual([await idAfter('keep'), await idAfter('replace')], ['okta-1', '7']);
});
