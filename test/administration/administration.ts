import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { CompanyDetail } from '../../src/features/companies/companies-schemas.ts';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { countChanges, follow } from '../audit/trail.ts';
import { dataOf } from '../support/answers.ts';
import type { TestApp } from '../support/build-test-app.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, type Person, type PersonOptions, type TestCompany } from '../support/people.ts';
import { openTestDatabase } from '../support/test-database.ts';

type Headers = Record<string, string>;

/** A service with two companies that the API has made, and people who may change something there. */
export interface Administration extends AsyncDisposable {
  api: TestApp;
  /** The company that is looked after, with its first department and band, which are its defaults. */
  home: TestCompany;
  other: TestCompany;
  superAdmin: Person;
  /** The Corporate Admin of the company, and of the other one. */
  admin: Person;
  foreignAdmin: Person;
  get(as: Person, path: string, query: Record<string, string>): Promise<LightMyRequestResponse>;
  post(as: Person, path: string, payload: object, headers?: Headers): Promise<LightMyRequestResponse>;
  /** Adds a person past the API, to the company unless the options name another. */
  add(options?: PersonOptions): Promise<Person>;
  /** Creates a company by the API, without an administrator. */
  addCompany(fields?: object): Promise<TestCompany>;
  /** What the change feed tells of some work, to a Super Admin. */
  changesOf(work: () => Promise<unknown>): Promise<ChangeView[]>;
  /** Some work after which the trail is what it was. */
  withoutTrace<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Returns a body; a new policy without a scope gets a priority of its own, as two of one precedence are refused. */
function apart(path: string, payload: object): object {
  if (path !== 'approval-policies/create' || 'scope' in payload || !('name' in payload)) return payload;
  const key = 'id' in payload ? String(payload.id) : randomUUID();
  return { ...payload, scope: { priority: 1000 + (Number.parseInt(key.replaceAll('-', '').slice(-6), 16) || 0) } };
}

/** Opens {@link Administration} on a database that has nothing else. */
export async function openAdministration(
  openDatabase = openTestDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<Administration> {
  const api = await buildCheckedApp(settings, openDatabase);
  const operator = await addCompany(api.db, 'Operator');
  const superAdmin = await addPerson(api.db, {
    company: operator,
    systemRole: { role: 'SUPER_ADMIN', active: true },
  });
  const send: Administration['post'] = (as, path, payload, headers = {}) =>
    api.send({ method: 'POST', url: `/api/${path}`, as: as.email, payload: apart(path, payload), headers });

  async function addByApi(fields: object = {}): Promise<TestCompany> {
    const company = dataOf<CompanyDetail>(
      await send(superAdmin, 'companies/create', { ...companyFields(), ...fields }),
    );
    const { id, defaultDepartmentId, defaultBandId } = company;
    return { id, departmentId: defaultDepartmentId ?? '', bandId: defaultBandId ?? '' };
  }
  async function adminOf(company: TestCompany): Promise<Person> {
    return addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  }
  const [home, other] = [await addByApi(), await addByApi()];
  return {
    api,
    home,
    other,
    superAdmin,
    admin: await adminOf(home),
    foreignAdmin: await adminOf(other),
    get: (as, path, query) => api.send({ url: `/api/${path}`, as: as.email, query }),
    post: send,
    add: (options = {}) => addPerson(api.db, { company: home, ...options }),
    addCompany: addByApi,
    async changesOf(work) {
      const { next } = await follow(api, superAdmin.email, { from: 'now' });
      await work();
      return (await follow(api, superAdmin.email, { after: next, limit: '1000' })).items;
    },
    async withoutTrace(work) {
      const before = await countChanges(api.db);
      const result = await work();
      assert.equal(await countChanges(api.db), before, 'the trail tells of something');
      return result;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** What a new company needs. */
export function companyFields() {
  const id = randomUUID();
  const gstin = id.replaceAll('-', '').slice(2);
  return { id, name: 'Initech', legalName: 'Initech Private Limited', gstin, email: 'office@initech.example' };
}

/** What a new person needs. */
export function personFields(company: TestCompany) {
  const id = randomUUID();
  return { id, companyId: company.id, email: `${id}@new.example`, firstName: 'Asha', lastName: 'Rao' };
}

/** Employment of somebody of whom nothing of it is known. */
export const NO_EMPLOYMENT = {
  employeeNumber: null,
  jobTitle: null,
  costCenter: null,
  managerId: null,
  startDate: null,
  endDate: null,
  manager: null,
};

/** A change in a few words: what happened to what, and from what to what the fields went. */
export function describeChange({ action, entity, entityId, changes }: ChangeView) {
  const fields = changes.map(({ field, before, after }) => [field, [before, after]] as const);
  return { what: `${entity} ${action}`, id: entityId, fields: Object.fromEntries(fields) };
}

/** The message of a success. */
export function messageOf(response: LightMyRequestResponse): string {
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ message: string }>().message;
}

/** The person that an operation of people answers with. */
export function userOf(response: LightMyRequestResponse): ProfileView {
  return dataOf<ProfileView>(response);
}
