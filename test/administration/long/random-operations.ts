import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { mix } from '../../../bench/data/people.ts';
import { COMPANY_ROLES, SYSTEM_ROLES } from '../../../src/entities/roles.ts';
import { dataOf } from '../../support/answers.ts';
import type { TestApp } from '../../support/build-test-app.ts';
import { outcomeOf, Tally } from './outcomes.ts';

const SUPER_ADMIN = 'super.admin@orgdesk.example';
/** The companies of the demo that are looked after, and who does it next to the Super Admin. */
const COMPANIES = [
  { name: 'Acme', admin: 'admin@acme.example' },
  { name: 'Globex', admin: 'admin@globex.example' },
];
/** Operations in flight at a time. */
const AT_ONCE = 4;

/** What there is to look after in a company, as far as it is known. */
interface Known {
  id: string;
  admin: string;
  departments: string[];
  bands: string[];
  policies: string[];
  people: string[];
}

type Fields = Record<string, unknown>;
interface Request {
  path: string;
  body: Fields;
  /** Takes the id of what was made. */
  made?: (id: string) => void;
}

/** Numbers and choices that come again with the same seed. */
function chance(seed: number) {
  let drawn = 0;
  const below = (end: number) => mix(drawn++, seed) % end;
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new TypeError('There is nothing to choose from');
    return item;
  };
  /** Some of the fields, each made anew. */
  const some = (fields: Readonly<Record<string, () => unknown>>, most: number): Fields => {
    const names = Array.from({ length: 1 + below(most) }, () => one(Object.keys(fields)));
    return Object.fromEntries(names.map((name) => [name, fields[name]?.()]));
  };
  return { below, one, some, often: (share: number) => below(100) < share };
}

/**
 * Sends so many operations of administration to a service with the demo companies, each drawn at random: good ones for the most part,
 * and such as meet a conflict, a rule or nothing at all. None is a fault of the service.
 *
 * @returns how often each operation had each outcome
 */
export async function administerAtRandom(api: TestApp, count: number, seed: number): Promise<Tally> {
  const random = chance(seed);
  const { below, one, some, often } = random;
  const known = await knownCompanies(api);
  const all = () => known.flatMap(({ people }) => people);

  const amount = () => `${below(2_000)}.${String(below(100)).padStart(2, '0')}`;
  const name = () => `${one(['Asha', 'Bo', 'Zoë', 'Łucja', '', 'x'.repeat(101)].slice(0, often(95) ? 4 : 6))}`;
  const email = () => `person${below(400)}@random.example`;
  const elsewhere = (ids: readonly string[], others: (company: Known) => readonly string[]) =>
    often(90) && ids.length > 0 ? one(ids) : (one(known.map(others)).at(-1) ?? randomUUID());

  const personFields = (company: Known) => ({
    email,
    firstName: name,
    lastName: name,
    approvalLimit: amount,
    clientType: () => one(['CORPORATE', 'AGENCY', 'DIRECT']),
    departmentId: () => elsewhere(company.departments, ({ departments }) => departments),
    bandId: () => elsewhere(company.bands, ({ bands }) => bands),
    phone: () => `+91 98450 ${10_000 + below(50)}`,
    dateOfBirth: () => `19${60 + below(40)}-0${1 + below(9)}-1${below(10)}`,
    gender: () => one(['Female', 'Male', 'Other']),
    addressLine1: () => `${below(50)}, "MG" Road`,
    addressLine2: () => one([null, 'Flat 1', 'Flat\u00a02']),
    pincode: () => `5600${10 + below(20)}`,
  });
  const own = { name: () => `${name()} & Co`, code: () => `C-${below(30)}` };
  const OWN = {
    departments: () => ({ name: own.name, costCode: own.code, budget: amount }),
    bands: () => ({
      name: own.name,
      code: own.code,
      autoApprovalLimit: amount,
      maxBookingLimit: () => one([null, amount()]),
    }),
    policies: () => ({ name: own.name, autoApprovalLimit: amount, levels }),
  };
  const PATHS = { departments: 'departments', bands: 'bands', policies: 'approval-policies' } as const;
  const levels = () =>
    Array.from({ length: below(4) }, (_, place) => ({
      level: place + 1 + below(2),
      roleRequired: one([...COMPANY_ROLES, ...SYSTEM_ROLES]),
      minAmount: `${(place + 1) * 1000 + below(1100)}.00`,
    }));
  const every = (fields: Readonly<Record<string, () => unknown>>): Fields =>
    Object.fromEntries(Object.entries(fields).map(([field, make]) => [field, make()]));
  const ids = () => (often(70) ? { id: randomUUID() } : {});

  function createOwn(company: Known): Request {
    const kind = one(['departments', 'bands', 'policies'] as const);
    const body = { ...ids(), companyId: company.id, ...every(OWN[kind]()) };
    return { path: `${PATHS[kind]}/create`, body, made: (id) => company[kind].push(id) };
  }
  function changeOwn(company: Known): Request {
    const kind = one(['departments', 'bands', 'policies'] as const);
    const id = company[kind].at(-1 - below(Math.max(1, company[kind].length))) ?? randomUUID();
    if (often(75)) return { path: `${PATHS[kind]}/update`, body: { id, ...some(OWN[kind](), 2) } };
    return { path: `${PATHS[kind]}/delete`, body: { id } };
  }
  function createPerson(company: Known): Request {
    const { email: address, firstName, lastName, ...more } = personFields(company);
    const needed = { email: address(), firstName: firstName(), lastName: lastName() };
    const roles = often(50) ? { roles: [...new Set([one(COMPANY_ROLES), one(COMPANY_ROLES)])] } : {};
    // Where there are defaults, places may be left out.
    const places = often(70) ? { departmentId: more.departmentId(), bandId: more.bandId() } : {};
    const body = { ...ids(), companyId: company.id, ...needed, ...some(more, 4), ...places, ...roles };
    return { path: 'users/create', body, made: (id) => company.people.push(id) };
  }
  function changePerson(company: Known): Request {
    const id = elsewhere(company.people, ({ people }) => people);
    const fields = { ...personFields(company), active: () => often(70) };
    return { path: 'users/update', body: { id, ...some(fields, 3) } };
  }
  function changeRole(company: Known): Request {
    const path = often(60) ? 'users/grant-role' : 'users/revoke-role';
    const userId = often(80) ? elsewhere(company.people, ({ people }) => people) : one(all());
    const role = often(12)
      ? { role: one(SYSTEM_ROLES) }
      : { role: one(COMPANY_ROLES), companyId: often(90) ? company.id : one(known).id };
    return { path, body: { userId, ...role } };
  }
  function createCompany(): Request {
    const id = randomUUID();
    const body = {
      id,
      name: `${name()} Ltd`,
      legalName: 'Random, "Limited"',
      gstin: `R-${below(300)}`,
      email: email(),
      ...(often(50) ? { firstAdmin: { email: email(), firstName: name(), lastName: name() } } : {}),
    };
    return { path: 'companies/create', body };
  }
  function changeCompany(company: Known): Request {
    const fields = {
      email,
      creditLimit: amount,
      creditDays: () => below(90),
      name: () => `${name()} Group`,
      defaultDepartmentId: () => one([null, elsewhere(company.departments, ({ departments }) => departments)]),
      defaultBandId: () => one([null, elsewhere(company.bands, ({ bands }) => bands)]),
    };
    return { path: 'companies/update', body: { id: company.id, ...some(fields, 2) } };
  }
  const KINDS: readonly (readonly [weight: number, make: (company: Known) => Request])[] = [
    [20, createPerson],
    [30, changePerson],
    [20, changeRole],
    [10, createOwn],
    [14, changeOwn],
    [2, createCompany],
    [4, changeCompany],
  ];
  const weighted = KINDS.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));

  const tally = new Tally();
  let sent = 0;
  async function work(): Promise<void> {
    while (sent < count) {
      sent++;
      const company = one(known);
      const { path, body, made } = one(weighted)(company);
      const as = often(70) ? SUPER_ADMIN : company.admin;
      const headers = often(5) ? { 'if-match': '"stale"' } : {};
      const answer = await api.send({ method: 'POST', url: `/api/${path}`, as, payload: body, headers });
      if (answer.statusCode === 200) made?.(dataOf<{ id: string }>(answer).id);
      tally.add(`${path} ${outcomeOf(answer)}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return tally;
}

/** What the demo has in the companies; the Super Admin administers them too, and nobody changes the Super Admin. */
async function knownCompanies(api: TestApp): Promise<Known[]> {
  const [staff] = await api.db.query<{ id: string }>(sql`select id from users where email = ${SUPER_ADMIN}`);
  assert.ok(staff);
  const known: Known[] = [];
  for (const { name, admin } of COMPANIES) {
    const [found] = await api.db.query<Omit<Known, 'admin'>>(sql`
      select id, array(select id::text from departments where company_id = companies.id order by 1) as departments,
             array(select id::text from employee_bands where company_id = companies.id order by 1) as bands,
             array(select id from approval_policies where company_id = companies.id order by 1) as policies,
             array(select id::text from users where company_id = companies.id and email <> ${admin} order by 1) as people
        from companies where name = ${name}`);
    assert.ok(found);
    known.push({ ...found, admin });
    const role = { userId: staff.id, companyId: found.id, role: 'CORPORATE_ADMIN' };
    dataOf(await api.send({ method: 'POST', url: '/api/users/grant-role', as: SUPER_ADMIN, payload: role }));
  }
  return known;
}
