import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Transactor } from '../../src/db/database.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import type { TestApp } from '../support/build-test-app.ts';
import { addCompany, type TestCompany } from '../support/people.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const ORGDESK = 'urn:orgdesk:params:scim:schemas:extension:2.0:User';
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A resource, a list or an error, as it came. */
// biome-ignore lint/suspicious/noExplicitAny: what a directory reads is JSON.
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Readonly<Record<string, unknown>>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** A directory with the key of a company. */
export interface TestDirectory {
  company: TestCompany;
  keyId: string;
  key: string;
  /** @param path behind `/scim/v2` */
  send(method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
}

/** A company with defaults for its joiners, and a directory that provisions it. */
export async function openDirectory(api: TestApp, name: string): Promise<TestDirectory> {
  const company = await addCompany(api.db, name);
  await api.db.query(sql`
    update companies set default_department_id = ${company.departmentId}, default_band_id = ${company.bandId}
     where id = ${company.id}`);
  return directoryFor(api, company);
}

export async function directoryFor(api: TestApp, company: TestCompany): Promise<TestDirectory> {
  const { id: keyId, key } = await scimKey(api.db, company.id);
  return {
    company,
    keyId,
    key,
    async send(method, path, body, headers = {}) {
      const response = await api.app.inject({
        method,
        url: `/scim/v2${path}`,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return {
        status: response.statusCode,
        body: response.body === '' ? undefined : (JSON.parse(response.body) as Json),
        headers: response.headers,
      };
    },
  };
}

export function scimKey(db: Transactor, companyId: string): Promise<{ id: string; key: string }> {
  const made = { name: 'Directory', scopes: ['scim'] as const, companyId, expiresAt: null };
  return db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, made));
}

/** A person as a directory sends them. */
export function newUser(more: object = {}): Json {
  const userName = `${randomUUID()}@joiner.example`;
  return {
    schemas: [USER],
    userName,
    name: { givenName: 'Ines', familyName: 'Joiner' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    active: true,
    ...more,
  };
}

/** Creates a person by the directory, and returns them as they are answered. */
export async function createUser(directory: TestDirectory, more: object = {}): Promise<Json> {
  const { status, body } = await directory.send('POST', '/Users', newUser(more));
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Creates a person and deletes them, both by the directory. */
export async function createDeletedUser(directory: TestDirectory, more: object = {}): Promise<Json> {
  const user = await createUser(directory, more);
  assert.equal((await directory.send('DELETE', `/Users/${user.id}`)).status, 204);
  return user;
}

export function patchOf(...Operations: readonly object[]): object {
  return { schemas: [PATCH_OP], Operations };
}

export const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

/** Asserts an error in the form of SCIM. */
export function assertFault({ status, body }: Answer, expected: number, scimType?: string): void {
  const reported = JSON.stringify(body);
  assert.equal(status, expected, reported);
  assert.deepEqual(body.schemas, [ERROR], reported);
  assert.deepEqual([body.status, body.scimType], [String(expected), scimType], reported);
  assert.ok(body.detail.length > 0);
}

/** The changes in the trail of somebody, the latest last. */
export async function trailOf(
  api: TestApp,
  userId: string,
): Promise<{ action: string; entity: string; fields: string[]; actor: string; request: string }[]> {
  return api.db.query(sql`
    select action, entity, to_json(fields) as fields, actor_kind || ' ' || actor_id as actor, request_id as request
      from audit_changes where user_id = ${userId} order by id`);
}
