import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { SCOPES } from '../../src/entities/api-key.ts';
import { dataOf } from '../support/answers.ts';
import type { TestApp } from '../support/build-test-app.ts';
import { addThings, addWebhook } from '../support/company-things.ts';
import { addCompany, addPerson, companyNamed, type PersonOptions, type TestCompany } from '../support/people.ts';
import type { Ids } from './values.ts';

/** Who sends requests. */
export interface Caller {
  name: string;
  headers: Record<string, string>;
}

/** Every kind of caller, and the ids that requests are made of. */
export interface Cast {
  callers: readonly Caller[];
  /** Reads what there is now. */
  refresh(): Promise<void>;
  /** Ids for an operation, without those of the callers: nobody takes a caller's rights away. */
  idsFor(path: string): Ids;
}

/** Adds the callers to a service, and things to change. */
export async function openCast(api: TestApp): Promise<Cast> {
  const home = await companyNamed(api.db, 'Acme');
  const foreign = await addCompany(api.db, 'Foreign');
  const target = await addCompany(api.db, 'Target');
  const things = await addThings(api.db, home);
  const own: string[] = [];
  const people: Record<string, PersonOptions> = {
    'Super Admin': { systemRole: { role: 'SUPER_ADMIN', active: true } },
    'Platform RM': { systemRole: { role: 'PLATFORM_RM', active: true } },
    'Corporate Admin': { roles: [['CORPORATE_ADMIN', home]] },
    Manager: { roles: [['MANAGER', home]] },
    employee: { roles: [['EMPLOYEE', home]] },
    'foreign admin': { company: foreign, roles: [['CORPORATE_ADMIN', foreign]] },
  };
  const callers: Caller[] = [{ name: 'nobody', headers: {} }];
  let superAdmin = '';
  for (const [name, options] of Object.entries(people)) {
    const { id } = await addPerson(api.db, { company: home, ...options });
    own.push(id);
    const authorization = `Bearer ${await api.context.signToken(id, 86_400)}`;
    if (name === 'Super Admin') superAdmin = authorization;
    callers.push({ name, headers: { authorization } });
  }
  for (const [name, company] of [
    ['company key', home],
    ['platform key', undefined],
  ] as const) {
    const { id, key } = await newKey(api, superAdmin, company);
    own.push(id);
    callers.push({ name, headers: { authorization: `Bearer ${key}` } });
  }
  let known: Record<string, string[]> = {};
  const refresh = async () => {
    // Of which a change can be skipped: requests delete it.
    await addWebhook(api.db, things);
    known = await readIds(api, home, own);
  };
  await refresh();
  return {
    callers,
    refresh,
    idsFor: (path) => (field) => {
      if (field === 'id') return path.endsWith('/create') ? [] : (known[thingOf(path)] ?? []);
      // A company that is closed is not that of the callers.
      if (field === 'companyId' && path === '/api/companies/update') return [target.id];
      // All of one company: a booking of a person of another one is refused, and with it the whole batch.
      if (path === '/api/bookings/record') return known[BOOKING_FIELDS[field] ?? ''] ?? [];
      return known[FIELDS[field] ?? ''] ?? [];
    },
  };

  function thingOf(path: string): string {
    const [, , feature = ''] = path.split('/');
    if (feature === 'companies' && path.endsWith('/update')) return 'target';
    return feature;
  }

  async function readIds({ db }: TestApp, { id }: TestCompany, mine: readonly string[]) {
    const list = async (statement: ReturnType<typeof sql>) =>
      (await db.query<{ id: string }>(statement)).map((row) => row.id).filter((each) => !mine.includes(each));
    return {
      companies: [id, foreign.id],
      target: [target.id],
      home: [id],
      colleagues: await list(sql`select id from users where company_id = ${id} order by id limit 60`),
      users: await list(sql`select id from users where company_id in (${id}, ${target.id}) order by id limit 60`),
      departments: await list(sql`select id from departments where company_id = ${id} order by id limit 20`),
      bands: await list(sql`select id from employee_bands where company_id = ${id} order by id limit 20`),
      'approval-policies': await list(
        sql`select id from approval_policies where company_id = ${id} order by id limit 20`,
      ),
      'api-keys': await list(sql`select id from api_keys order by id limit 20`),
      webhooks: await list(sql`select id from webhooks order by skipped_change_id nulls last, id limit 5`),
      'group-mappings': await list(sql`select id from group_mappings order by id limit 20`),
      'sign-in-connections': await list(sql`select id from sign_in_connections order by id limit 20`),
      bookings: await list(sql`select id from bookings where company_id = ${id} order by id limit 20`),
    };
  }
}

/** What the ids of a field are of. */
const FIELDS: Readonly<Record<string, string>> = {
  companyId: 'companies',
  userId: 'users',
  managerId: 'users',
  headId: 'users',
  substituteId: 'users',
  actorId: 'users',
  departmentId: 'departments',
  parentId: 'departments',
  defaultDepartmentId: 'departments',
  bandId: 'bands',
  defaultBandId: 'bands',
};

const BOOKING_FIELDS: Readonly<Record<string, string>> = {
  companyId: 'home',
  userId: 'colleagues',
  departmentId: 'departments',
};

async function newKey({ app }: TestApp, authorization: string, company: TestCompany | undefined) {
  // Directories are those of a company.
  const scopes = SCOPES.filter((scope) => company !== undefined || scope !== 'scim');
  const payload = { id: randomUUID(), name: 'Contract', scopes, ...(company && { companyId: company.id }) };
  const made = await app.inject({ method: 'POST', url: '/api/api-keys/create', headers: { authorization }, payload });
  return dataOf<{ id: string; key: string }>(made);
}
