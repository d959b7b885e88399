import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { dataOf } from '../../support/answers.ts';
import { addPerson, type Person } from '../../support/people.ts';
import { type Administration, companyFields, personFields, userOf } from '../administration.ts';
import { outcomeOf, Tally } from './outcomes.ts';

/** Does so many rounds of something that goes on at the same moment, and gives what came of it, in words. */
export type Race = (administration: Administration, rounds: number) => Promise<string>;

type Answer = Awaited<ReturnType<Administration['post']>>;

/** One of two goes through, and the other is refused as the rules say. */
function assertOneOf(answers: readonly Answer[], refusals: readonly string[]): string {
  const outcomes = answers.map(outcomeOf).sort();
  const [first, ...others] = outcomes;
  assert.equal(first, '200', String(outcomes));
  for (const other of others) assert.ok(refusals.includes(other), String(outcomes));
  return outcomes.join(' and ');
}

const SUPER_ADMIN = { role: 'SUPER_ADMIN' };

/** Two who remove each other: by taking the role, by deactivating, or one by each. Somebody always stays. */
async function adminsRemoveEachOther({ api, post, superAdmin, addCompany }: Administration, rounds: number) {
  const company = await addCompany();
  const role = { role: 'CORPORATE_ADMIN', companyId: company.id };
  const pair = [1, 2].map(() => addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] }));
  const [one, two] = (await Promise.all(pair)) as [Person, Person];
  const tally = new Tally();
  const revoke = (by: Person, of: Person) => post(by, 'users/revoke-role', { userId: of.id, ...role });
  const deactivate = (by: Person, of: Person) => post(by, 'users/update', { id: of.id, active: false });
  const ways = [
    [revoke, revoke],
    [deactivate, deactivate],
    [revoke, deactivate],
  ] as const;
  for (let round = 0; round < rounds; round++) {
    const [first, second] = ways[round % ways.length] ?? ways[0];
    const answers = await Promise.all([first(one, two), second(two, one)]);
    // Who is removed before their own request is looked at has no say any more.
    tally.add(assertOneOf(answers, ['409 LAST_ADMIN', '403 ROLE_REQUIRED', '401 INVALID_TOKEN']));
    const left = await api.db.query(sql`
      select from company_roles join users on users.id = user_id
       where company_roles.company_id = ${company.id} and role = 'CORPORATE_ADMIN' and active`);
    assert.equal(left.length, 1);
    for (const { id } of [one, two]) {
      userOf(await post(superAdmin, 'users/grant-role', { userId: id, ...role }));
      userOf(await post(superAdmin, 'users/update', { id, active: true }));
    }
  }
  return tally.summary();
}

async function superAdminsRemoveEachOther({ api, post, superAdmin, add }: Administration, rounds: number) {
  const second = await add();
  const pair = [superAdmin, second] as const;
  const tally = new Tally();
  userOf(await post(superAdmin, 'users/grant-role', { userId: second.id, ...SUPER_ADMIN }));
  for (let round = 0; round < rounds; round++) {
    const remove = (by: Person, { id }: Person) =>
      round % 2 === 0
        ? post(by, 'users/revoke-role', { userId: id, ...SUPER_ADMIN })
        : post(by, 'users/update', { id, active: false });
    const answers = await Promise.all([remove(superAdmin, second), remove(second, superAdmin)]);
    tally.add(assertOneOf(answers, ['409 LAST_ADMIN', '403 ROLE_REQUIRED', '401 INVALID_TOKEN']));
    const [left, ...more] = await api.db.query<{ id: string }>(sql`
      select users.id from system_roles join users on users.id = user_id
       where role = 'SUPER_ADMIN' and system_roles.active and users.active`);
    const by = pair.find(({ id }) => id === left?.id);
    assert.ok(by && more.length === 0);
    for (const { id } of pair) {
      userOf(await post(by, 'users/update', { id, active: true }));
      userOf(await post(by, 'users/grant-role', { userId: id, ...SUPER_ADMIN }));
    }
  }
  userOf(await post(superAdmin, 'users/revoke-role', { userId: second.id, ...SUPER_ADMIN }));
  return tally.summary();
}

/** Two who want one e-mail address, or one GSTIN: one gets it, and of the other nothing is there. */
async function oneAddressTwice({ api, post, superAdmin, home, other, add }: Administration, rounds: number) {
  const tally = new Tally();
  for (let round = 0; round < rounds; round++) {
    const email = `${randomUUID()}@wanted.example`;
    const { gstin } = companyFields();
    const create = (company: typeof home) => {
      const address = round % 2 === 0 ? email : email.toUpperCase();
      return post(superAdmin, 'users/create', { ...personFields(company), email: company === home ? email : address });
    };
    const withAdmin = () => {
      const firstAdmin = { email, firstName: 'Asha', lastName: 'Rao' };
      return post(superAdmin, 'companies/create', { ...companyFields(), firstAdmin });
    };
    const move = async () => post(superAdmin, 'users/update', { id: (await add()).id, email });
    const found = () => post(superAdmin, 'companies/create', { ...companyFields(), gstin });
    const [first, second] = [
      [() => create(home), () => create(other)],
      [() => create(home), withAdmin],
      [move, () => create(other)],
      [move, move],
      [found, found],
    ][round % 5] as [() => Promise<Answer>, () => Promise<Answer>];
    const answers = await Promise.all([first(), second()]);
    tally.add(assertOneOf(answers, ['409 ALREADY_EXISTS']));
    const people = await api.db.query(sql`select from users where lower(email) = lower(${email})`);
    const companies = await api.db.query(sql`select from companies where gstin = ${gstin}`);
    assert.equal(people.length + companies.length, 1);
    const alone = await api.db.query(sql`
      select from companies where email = 'office@initech.example'
         and not exists (select from departments where company_id = companies.id)`);
    assert.deepEqual(alone, []);
  }
  return tally.summary();
}

/** The very same create, four times at once: all are told of the one row that is there then. */
async function sameCreateAtOnce(administration: Administration, rounds: number) {
  const { post, superAdmin, admin, home } = administration;
  const tally = new Tally();
  for (let round = 0; round < rounds; round++) {
    const { id, ...company } = companyFields();
    const firstAdmin = { email: `${id}@first.example`, firstName: 'Asha', lastName: 'Rao' };
    const own = { id, companyId: home.id, name: 'Twin' };
    const code = `T-${round}`;
    const levels = [{ level: 1, roleRequired: 'MANAGER', minAmount: '5.00' }];
    const [as, path, body, made] = [
      [superAdmin, 'users/create', { ...personFields(home), id }, 2],
      [superAdmin, 'companies/create', { id, ...company, firstAdmin }, 7],
      [admin, 'departments/create', { ...own, costCode: code }, 1],
      [admin, 'bands/create', { ...own, code }, 1],
      [admin, 'approval-policies/create', { ...own, levels }, 2],
    ][round % 5] as [Person, string, object, number];
    const changes = await administration.changesOf(async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => post(as, path, body)));
      tally.add(answers.map(outcomeOf).sort().join(' and '));
      for (const answer of answers) assert.equal(answer.statusCode, 200, `${path} ${answer.body}`);
      // How many people a company has by now is of the moment.
      assert.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
    });
    assert.deepEqual(
      changes.map(({ action }) => action),
      Array.from({ length: made }, () => 'added'),
    );
  }
  return tally.summary();
}

/** A department or band is deleted while somebody joins it, or a company takes it for its default: the one or the other. */
async function joiningWhatGoes({ api, post, admin, home, add }: Administration, rounds: number) {
  const tally = new Tally();
  for (let round = 0; round < rounds; round++) {
    const [path, field, code] = (
      round % 2 === 0 ? ['departments', 'departmentId', 'costCode'] : ['bands', 'bandId', 'code']
    ) as ['departments' | 'bands', string, string];
    const thing = { companyId: home.id, name: 'Fleeting', [code]: `F-${round}` };
    const { id } = dataOf<{ id: string }>(await post(admin, `${path}/create`, thing));
    const defaultField = `default${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    const person = await add();
    const joining = [
      () => post(admin, 'users/create', { ...personFields(home), [field]: id }),
      () => post(admin, 'users/update', { id: person.id, [field]: id }),
      () => post(admin, 'companies/update', { id: home.id, [defaultField]: id }),
    ][round % 3] as () => Promise<Answer>;
    const remove = () => post(admin, `${path}/delete`, { id });
    // Now one comes first, now the other.
    const answers = await Promise.all(round % 4 < 2 ? [joining(), remove()] : [remove(), joining()]);
    tally.add(assertOneOf(answers, ['400 INVALID_INPUT', '409 IN_USE']));
    const back = { defaultDepartmentId: home.departmentId, defaultBandId: home.bandId };
    dataOf(await post(admin, 'companies/update', { id: home.id, ...back }));
  }
  const lost = await api.db.query(sql`
    select from users where not exists (select from departments where departments.id = department_id)
        or not exists (select from employee_bands where employee_bands.id = band_id)`);
  assert.deepEqual(lost, []);
  return tally.summary();
}

/** People are added without a department while the company's default becomes another one, and the old one goes. */
async function defaultsThatChange({ post, admin, home }: Administration, rounds: number) {
  const tally = new Tally();
  const make = async () => {
    const department = { companyId: home.id, name: 'D', costCode: randomUUID() };
    return dataOf<{ id: string }>(await post(admin, 'departments/create', department)).id;
  };
  const become = async (id: string) =>
    dataOf(await post(admin, 'companies/update', { id: home.id, defaultDepartmentId: id }));
  for (let round = 0; round < rounds; round++) {
    const [old, next] = [await make(), await make()];
    await become(old);
    const move = async () => {
      await become(next);
      return post(admin, 'departments/delete', { id: old });
    };
    const [removed, ...added] = await Promise.all([
      move(),
      ...[1, 2, 3].map(() => post(admin, 'users/create', personFields(home))),
    ]);
    const places = added.map((answer) => userOf(answer).departmentId);
    assert.ok(places.every((id) => id === old || id === next));
    const outcome = outcomeOf(removed);
    assert.equal(outcome, places.includes(old) ? '409 IN_USE' : '200');
    tally.add(outcome);
    await become(home.departmentId);
  }
  return tally.summary();
}

export const RACES: Readonly<Record<string, Race>> = {
  'one of two admins who remove each other at once is refused': adminsRemoveEachOther,
  'one of two Super Admins who remove each other at once is refused': superAdminsRemoveEachOther,
  'one of two requests for the same e-mail address or GSTIN gets 409': oneAddressTwice,
  'four simultaneous creates with the same content return one entity': sameCreateAtOnce,
  'a department or band is either deleted or joined when both happen at once': joiningWhatGoes,
  'people added while a default is replaced and deleted get a default that exists': defaultsThatChange,
};
