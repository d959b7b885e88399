import assert from 'node:assert/strict';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { ACCESS_TABLE, type Access } from '../../src/auth/access-table.ts';
import type { RegisteredRoute } from './registered-routes.ts';

/** What somebody is, as far as that decides what they may do. */
export interface Standing {
  /** Whether they come with a token at all, and if so, whether it is good and its user there and active. */
  token: 'none' | 'refused' | 'good';
  /** An active Super Admin or Platform RM. */
  platform?: boolean;
  /** Companies in which they are Corporate Admin or Manager, deactivated ones too. */
  corporate?: readonly string[];
}

/** What is asked for: `companyId` may be malformed; undefined: none is named. */
export interface Asked {
  companyId: string | undefined;
  isActive?: boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The rules of access in a few lines, told once more and apart from the service: what it has to answer to somebody, where nothing
 * but who they are and which company they ask for can be wrong.
 */
export function rightAnswer(access: Access, { token, platform, corporate = [] }: Standing, asked: Asked): string {
  if (access === 'public') return '200';
  if (token === 'none') return '401 AUTHENTICATION_REQUIRED';
  if (token === 'refused') return '401 INVALID_TOKEN';
  if (access === 'self') return '200';
  if (access === 'platform') return platform === true ? '200' : '403 ROLE_REQUIRED';
  if (corporate.length === 0) return '403 ROLE_REQUIRED';
  if (asked.companyId === undefined || !UUID.test(asked.companyId)) return '400 INVALID_INPUT';
  return corporate.includes(asked.companyId) && asked.isActive !== false ? '200' : '403 COMPANY_FORBIDDEN';
}

/** Asks by this route, with the company both in the query and in the body, and with this token. */
export function askBy(
  app: FastifyInstance,
  { method, url }: RegisteredRoute,
  token: string | undefined,
  { companyId }: Asked,
): Promise<LightMyRequestResponse> {
  const company = companyId === undefined ? {} : { companyId };
  return app.inject({
    method,
    url,
    query: company,
    ...(method === 'POST' ? { payload: company } : {}),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

/** Asserts that the answer by this route is the right one. */
export function assertRightAnswer(
  route: RegisteredRoute,
  standing: Standing,
  asked: Asked,
  response: LightMyRequestResponse,
): void {
  const access = ACCESS_TABLE[route.operation];
  const { statusCode, body } = response;
  const place = `${route.method} ${route.url} of ${asked.companyId ?? 'no company'}: ${body.slice(0, 300)}`;
  // An answer to HEAD has no body that could hold a code.
  const right = rightAnswer(access, standing, asked).slice(0, route.method === 'HEAD' ? 3 : undefined);
  const code = statusCode === 200 || body === '' ? '' : ` ${(JSON.parse(body) as { code: string }).code}`;
  assert.equal(`${statusCode}${code}`, right, place);
  if (access !== 'public') assert.equal(response.headers['cache-control'], 'no-store', place);
}
