import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import sql from 'sql-template-tag';
import { assertRefused } from '../support/answers.ts';
import type { TestApp } from '../support/build-test-app.ts';
import type { Account, TestProvider } from '../support/identity-provider.ts';

/** An account of the provider whose address is verified. */
export function accountOf(email: string, more: object = {}): Account {
  return { sub: `account|${randomUUID()}`, email, email_verified: true, ...more };
}

/** Asserts a refusal of somebody whom no user is found for. */
export function assertUnknown(response: LightMyRequestResponse): void {
  const { message } = assertRefused(response, 401, 'INVALID_TOKEN');
  assert.match(message, /unknown or deactivated/);
}

interface Link {
  issuer: string;
  subject: string;
}

/** What accounts of the provider are given by the service, and which users they are linked to. */
export function openAccounts(api: TestApp, provider: TestProvider) {
  const view = (token: string) =>
    api.send({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } });
  const signIn = async (account: Account, audience?: string) => (await provider.signIn(account, audience)).accessToken;
  const viewAs = async (account: Account) => view(await signIn(account));

  async function linksOf(userId: string): Promise<Link[]> {
    return [...(await api.db.query<Link>(sql`select issuer, subject from user_identities where user_id = ${userId}`))];
  }

  return { view, signIn, viewAs, linksOf };
}
