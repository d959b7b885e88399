import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Writer } from '../../src/db/database.ts';
import { addPerson, type TestCompany } from './people.ts';
import { insertRow } from './rows.ts';

/** One of each thing that a company has, by its id. */
export interface CompanyThings {
  companyId: string;
  departmentId: string;
  bandId: string;
  policyId: string;
  userId: string;
  apiKeyId: string;
  webhookId: string;
}

/** Content of a thing, as a create gives it and as it is stored. */
const DEPARTMENT = { name: 'Tried', costCode: 'TRIED', budget: '1.00' };
const BAND = { name: 'Tried', code: 'TRIED', autoApprovalLimit: '1.00', maxBookingLimit: null };
const POLICY = { name: 'Tried', autoApprovalLimit: '1.00' };
const PERSON = { firstName: 'Tried', lastName: 'Person', phone: '+353 1 555 0100', approvalLimit: '5.00' };
const ADDRESS = { gender: 'Other', addressLine1: '1 Long Lane', pincode: '12345', dateOfBirth: '1990-02-03' };

/** Adds one of each thing to a company: whoever creates it again by {@link requestsFor} changes nothing. */
export async function addThings(db: Writer, company: TestCompany): Promise<CompanyThings> {
  const [companyId, departmentId, bandId, policyId] = [company.id, randomUUID(), randomUUID(), randomUUID()];
  await insertRow(db, 'departments', { id: departmentId, company_id: companyId, ...snakeCase(DEPARTMENT) });
  await insertRow(db, 'employee_bands', { id: bandId, company_id: companyId, ...snakeCase(BAND) });
  await insertRow(db, 'approval_policies', { id: policyId, company_id: companyId, ...snakeCase(POLICY) });
  const columns = { ...snakeCase({ ...PERSON, ...ADDRESS }), address_line_1: ADDRESS.addressLine1, loyalty_points: 0 };
  const { id: userId } = await addPerson(db, { company, roles: [['EMPLOYEE', company]], columns });
  const apiKeyId = randomUUID();
  await insertRow(db, 'api_keys', {
    ...{ id: apiKeyId, company_id: companyId, name: 'Tried', scopes: 'users.read', prefix: 'odk_tried000' },
    ...{ hash: apiKeyId.replaceAll('-', '').repeat(2), created_at: '2026-01-02T03:04:05.678Z' },
  });
  const things = { companyId, departmentId, bandId, policyId, userId, apiKeyId, webhookId: randomUUID() };
  await addWebhook(db, things);
  return things;
}

/** Adds the webhook of the things, where it is gone: to delete it is the one request that cannot be made without that. */
export async function addWebhook(db: Writer, { companyId, webhookId }: CompanyThings): Promise<void> {
  if ((await db.query(sql`select from webhooks where id = ${webhookId}`)).length > 0) return;
  await insertRow(db, 'webhooks', {
    ...{ id: webhookId, company_id: companyId, url: 'http://127.0.0.1:9/', active: true, skipped_change_id: '1' },
    created_at: '2026-01-02T03:04:05.678Z',
  });
  await db.query(sql`insert into webhook_secrets (webhook_id, secret) values (${webhookId}, 'whsec_dHJpZWQ=')`);
  await db.query(sql`insert into webhook_progress (webhook_id, position) values (${webhookId}, 0)`);
}

/** Things that there are not. */
export function unknownThings(): CompanyThings {
  const [companyId, departmentId, bandId] = [randomUUID(), randomUUID(), randomUUID()];
  const [policyId, userId, apiKeyId, webhookId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  return { companyId, departmentId, bandId, policyId, userId, apiKeyId, webhookId };
}

/**
 * What to send to each operation that is asked about a company or one of its things, so that nothing can be wrong but who asks, and for
 * what; and, for a caller who may, so that nothing changes.
 */
export function requestsFor(
  company: TestCompany,
  things: CompanyThings,
): Readonly<Record<string, { id?: string; companyId?: string; [field: string]: unknown }>> {
  const { companyId, departmentId, bandId, policyId, userId, apiKeyId, webhookId } = things;
  const own = (id: string) => ({ get: { id }, update: { id }, delete: { id } });
  const person = { ...PERSON, ...ADDRESS, email: `${userId}@test.example` };
  const places = { departmentId: company.departmentId, bandId: company.bandId };
  return {
    'companies.get': { id: companyId },
    'companies.update': { id: companyId },
    'users.list': { companyId },
    'users.get': { id: userId },
    'users.create': { id: userId, companyId, ...person, ...places },
    'users.update': { id: userId },
    'users.save': { companyId, create: [{ id: userId, ...person, ...places }] },
    'users.import': { companyId },
    'users.grantRole': { userId, companyId, role: 'EMPLOYEE' },
    'users.revokeRole': { userId, companyId, role: 'MANAGER' },
    'departments.list': { companyId },
    'departments.spending': { companyId },
    'departments.create': { id: departmentId, companyId, ...DEPARTMENT },
    ...prefixed('departments', own(departmentId)),
    'bands.list': { companyId },
    'bands.create': { id: bandId, companyId, ...BAND },
    ...prefixed('bands', own(bandId)),
    'approvalPolicies.list': { companyId },
    'approvalPolicies.create': { id: policyId, companyId, ...POLICY },
    ...prefixed('approvalPolicies', own(policyId)),
    'approvalPolicies.evaluate': { id: policyId, amount: '1.00' },
    'apiKeys.list': { companyId },
    'apiKeys.create': { companyId, name: 'Tried', scopes: ['users.read'] },
    'apiKeys.revoke': { id: apiKeyId },
    'webhooks.list': { companyId },
    'webhooks.create': { companyId, url: 'http://127.0.0.1:9/' },
    ...prefixed('webhooks', { ...own(webhookId), rotateSecret: { id: webhookId } }),
    ...prefixed('webhooks', { test: { id: webhookId }, deliveries: { id: webhookId } }),
    // Skipped already: that changes nothing.
    'webhooks.skip': { id: webhookId, changeId: '1' },
    'bookings.record': { bookings: [{ id: `tried ${userId}`, companyId, userId, amount: '1.00' }] },
  };
}

/** The body of a create of a company that there is not. */
export function newCompany() {
  const gstin = randomUUID().replaceAll('-', '').slice(2);
  return { name: 'Tried', legalName: 'Tried Ltd', gstin, email: 'office@tried.example' };
}

function prefixed(prefix: string, requests: Record<string, { id: string }>): Record<string, { id: string }> {
  return Object.fromEntries(Object.entries(requests).map(([name, request]) => [`${prefix}.${name}`, request]));
}

function snakeCase(fields: object): Record<string, unknown> {
  const column = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name !== 'addressLine1')
      .map(([name, value]) => [column(name), value]),
  );
}
