import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { TObject } from 'typebox';
import { OPERATIONS } from '../../src/app/all-operations.ts';
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
  /** A directory, by its first key. */
  directoryId: string;
  webhookId: string;
  mappingId: string;
  connectionId: string;
  /** Moves within the company, by their states. */
  moves: { AGREED: string; DECLINED: string; WITHDRAWN: string };
  fieldId: string;
}

/** Content of a thing, as a create gives it and as it is stored. */
const DEPARTMENT = { name: 'Tried', costCode: 'TRIED', budget: '1.00' };
const BAND = { name: 'Tried', code: 'TRIED', autoApprovalLimit: '1.00', maxBookingLimit: null };
const MAPPING = { groupName: 'Tried', role: 'EMPLOYEE' };
const POLICY = { name: 'Tried', autoApprovalLimit: '1.00' };
/** A provider at an address that is requested nothing. */
const connectionOf = (companyId: string) => ({ issuer: `https://127.0.0.1:9/${companyId}`, audience: 'tried' });
const PERSON = { firstName: 'Tried', lastName: 'Person', phone: '+35315550100', approvalLimit: '5.00' };
const FIELD = { entity: 'user', key: 'tried', label: 'Tried', type: 'TEXT', required: false, sensitive: false };
const COST_CENTER = { name: 'Tried', code: 'TRIED' };
const GROUP = { name: 'Tried' };
const ROLE = { key: 'TRIED', name: 'Tried', active: true };
const LEGAL_ENTITY = { name: 'Tried', registeredName: 'Tried Ltd', countryCode: 'IE' };
const ADDRESS = { gender: 'Other', addressLine1: '1 Long Lane', pincode: '12345', dateOfBirth: '1990-02-03' };

/** Adds one of each thing to a company: whoever creates it again by {@link requestsFor} changes nothing. */
export async function addThings(db: Writer, company: TestCompany): Promise<CompanyThings> {
  const [companyId, departmentId, bandId, policyId] = [company.id, randomUUID(), randomUUID(), randomUUID()];
  await insertRow(db, 'departments', { id: departmentId, company_id: companyId, ...snakeCase(DEPARTMENT) });
  await insertRow(db, 'employee_bands', { id: bandId, company_id: companyId, ...snakeCase(BAND) });
  // Ids are per entity.
  await insertRow(db, 'cost_centers', { id: departmentId, company_id: companyId, ...COST_CENTER });
  await insertRow(db, 'company_groups', { id: departmentId, company_id: companyId, ...GROUP });
  await insertRow(db, 'own_roles', { id: departmentId, company_id: companyId, ...ROLE });
  await insertRow(db, 'legal_entities', { id: departmentId, company_id: companyId, ...snakeCase(LEGAL_ENTITY) });
  await insertRow(db, 'approval_policies', { id: policyId, company_id: companyId, ...snakeCase(POLICY) });
  const columns = { ...snakeCase({ ...PERSON, ...ADDRESS }), address_line_1: ADDRESS.addressLine1, loyalty_points: 0 };
  const { id: userId } = await addPerson(db, { company, roles: [['EMPLOYEE', company]], columns });
  await insertRow(db, 'bookings', { id: `tried ${userId}`, company_id: companyId, user_id: userId, amount: '1.00' });
  const [apiKeyId, directoryId] = [randomUUID(), randomUUID()];
  for (const [id, scopes] of [
    [apiKeyId, 'users.read'],
    [directoryId, 'scim'],
  ] as const) {
    await insertRow(db, 'api_keys', {
      id,
      company_id: companyId,
      name: 'Tried',
      scopes,
      prefix: 'odk_tried000',
      hash: id.replaceAll('-', '').repeat(2),
      created_at: '2026-01-02T03:04:05.678Z',
    });
  }
  const things = {
    companyId,
    departmentId,
    bandId,
    policyId,
    userId,
    apiKeyId,
    directoryId,
    webhookId: randomUUID(),
    mappingId: randomUUID(),
    connectionId: randomUUID(),
    moves: unknownMoves(),
    fieldId: randomUUID(),
  };
  for (const [status, id] of Object.entries(things.moves)) {
    const who = { company_id: companyId, from_company_id: companyId, user_id: userId, asked_for: userId };
    await insertRow(db, 'user_moves', { id, ...who, status, decided_at: '2026-01-02T03:04:05.678Z' });
  }
  // Whoever is invited again within an hour gets nothing more.
  await insertRow(db, 'mails', { company_id: companyId, user_id: userId, kind: 'INVITATION' });
  await insertRow(db, 'field_definitions', {
    id: things.fieldId,
    company_id: companyId,
    ...FIELD,
    ...{ readable_by: 'MANAGER', writable_by: 'ADMIN', in_list: false, position: 0, active: true },
  });
  await addWebhook(db, things);
  await insertRow(db, 'group_mappings', {
    id: things.mappingId,
    company_id: companyId,
    ...snakeCase(MAPPING),
    priority: 100,
  });
  const connection = {
    company_id: companyId,
    ...snakeCase(connectionOf(companyId)),
    client_id: null,
    algorithm: 'RS256',
    subject_claim: 'sub',
    token_use: 'access',
    emails_verified: false,
    domains: '',
    active: true,
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:05.678Z',
  };
  await insertRow(db, 'sign_in_connections', { ...connection, id: things.connectionId });
  const shared = { id: sharedOf(things), audience: 'shared', shared_with: companyId };
  await insertRow(db, 'sign_in_connections', { ...connection, ...shared });
  return things;
}

/** Adds the webhook of the things, where it is gone: to delete it is the one request that cannot be made without that. */
export async function addWebhook(db: Writer, { companyId, webhookId }: CompanyThings): Promise<void> {
  if ((await db.query(sql`select from webhooks where id = ${webhookId}`)).length > 0) return;
  await insertRow(db, 'webhooks', {
    id: webhookId,
    company_id: companyId,
    url: 'http://127.0.0.1:9/',
    active: true,
    skipped_change_id: '1',
    created_at: '2026-01-02T03:04:05.678Z',
  });
  await db.query(sql`insert into webhook_secrets (webhook_id, secret) values (${webhookId}, 'whsec_dHJpZWQ=')`);
  await db.query(sql`insert into webhook_progress (webhook_id, position) values (${webhookId}, 0)`);
}

/** The id of a connection that is shared with the company: ids are per entity. */
const sharedOf = ({ directoryId }: CompanyThings) => directoryId;

const unknownMoves = () => ({ AGREED: randomUUID(), DECLINED: randomUUID(), WITHDRAWN: randomUUID() });

/** Things that there are not. */
export function unknownThings(): CompanyThings {
  const [companyId, departmentId, bandId] = [randomUUID(), randomUUID(), randomUUID()];
  const [policyId, userId, apiKeyId, webhookId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const others = {
    directoryId: randomUUID(),
    mappingId: randomUUID(),
    connectionId: randomUUID(),
    fieldId: randomUUID(),
    moves: unknownMoves(),
  };
  return { companyId, departmentId, bandId, policyId, userId, apiKeyId, webhookId, ...others };
}

/**
 * Returns a request for each operation on a company or one of its things: the ids and, where nothing else is said here, the examples of what is
 * required. Only who asks, and for what, can be wrong; for a caller who may, nothing changes.
 */
export function requestsFor(
  company: TestCompany,
  things: CompanyThings,
): Readonly<Record<string, { id?: string; companyId?: string; [field: string]: unknown }>> {
  const { companyId, departmentId, bandId, policyId, userId, apiKeyId, webhookId } = things;
  const ids: Readonly<Record<string, string>> = {
    companies: companyId,
    users: userId,
    departments: departmentId,
    bands: bandId,
    costCenters: departmentId,
    groups: departmentId,
    roles: departmentId,
    legalEntities: departmentId,
    approvalPolicies: policyId,
    apiKeys: apiKeyId,
    webhooks: webhookId,
    groupMappings: things.mappingId,
    signInConnections: things.connectionId,
    directories: things.directoryId,
    bookings: `tried ${userId}`,
    fields: things.fieldId,
    mails: userId,
  };
  const person = { ...PERSON, ...ADDRESS, email: `${userId}@test.example` };
  const assignment = { departmentId: company.departmentId, bandId: company.bandId };
  const contents: Readonly<Record<string, object>> = {
    'users.create': { ...person, ...assignment },
    'users.save': { create: [{ id: userId, ...person, ...assignment }] },
    'users.search': { search: 'tried' },
    'users.requestMove': { userIds: [userId], ...assignment },
    // Decided already: that changes nothing.
    'users.agreeMove': { ids: [things.moves.AGREED] },
    'users.declineMove': { ids: [things.moves.DECLINED] },
    'users.withdrawMove': { ids: [things.moves.WITHDRAWN] },
    'users.grantRole': { userId, role: 'EMPLOYEE' },
    'users.revokeRole': { userId, role: 'MANAGER' },
    // Nobody decides for the caller already.
    'users.setSubstitute': { substituteId: null },
    'departments.create': DEPARTMENT,
    'bands.create': BAND,
    'costCenters.create': COST_CENTER,
    'groups.create': GROUP,
    'roles.create': ROLE,
    'roles.grant': { userId },
    'roles.revoke': { userId },
    'legalEntities.create': LEGAL_ENTITY,
    'legalEntities.billTo': { userId },
    'approvalPolicies.create': POLICY,
    'fields.create': FIELD,
    'groupMappings.create': MAPPING,
    'directories.create': { name: 'Tried' },
    // Into itself: that changes nothing.
    'directories.join': { intoId: things.directoryId },
    'signInConnections.create': connectionOf(companyId),
    'signInConnections.agreeSharing': { id: sharedOf(things) },
    'signInConnections.leaveSharing': { id: sharedOf(things) },
    'apiKeys.create': { name: 'Tried', scopes: ['users.read'] },
    'webhooks.create': { url: 'http://127.0.0.1:9/' },
    // Skipped already: that changes nothing.
    'webhooks.skip': { changeId: '1' },
    // Nothing has changed since.
    'webhooks.resend': { since: '2999-01-01T00:00:00Z' },
    'companies.recordPayment': { id: companyId, amount: '1.00' },
    'bookings.record': { bookings: [{ id: ids.bookings, companyId, userId, amount: '1.00' }] },
  };
  const requests = OPERATIONS.flatMap(({ id: name, input }) => {
    const thing = ids[name.split('.')[0] ?? ''];
    const { properties = {}, required = [] } = (input ?? {}) as Partial<TObject>;
    const isAsked = 'id' in properties || 'companyId' in properties || name in contents;
    if (thing === undefined || !isAsked || name === 'companies.create') return [];
    const example = (field: string) => (properties[field] as { examples?: unknown[] }).examples?.[0];
    const examples = Object.fromEntries(required.map((field) => [field, example(field)]));
    const isByCompany = 'companyId' in properties && name !== 'approvalPolicies.evaluate';
    // Of these each one is a new one: its secret is shown once.
    const isNew = name === 'apiKeys.create' || name === 'webhooks.create';
    const own = {
      ...('id' in properties && !isNew ? { id: thing } : {}),
      ...(isByCompany ? { companyId } : {}),
    };
    return [[name, { ...examples, ...own, ...contents[name] }] as const];
  });
  return Object.fromEntries(requests);
}

/** The body of a create of a company that there is not. */
export function newCompany() {
  const gstin = randomUUID().replaceAll('-', '').slice(2);
  return { name: 'Tried', legalName: 'Tried Ltd', gstin, email: 'office@tried.example' };
}

function snakeCase(fields: object): Record<string, unknown> {
  const column = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name !== 'addressLine1')
      .map(([name, value]) => [column(name), value]),
  );
}
