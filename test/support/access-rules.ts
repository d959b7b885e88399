import assert from 'node:assert/strict';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { CompanyRole, Role, SystemRole } from '../../src/entities/roles.ts';
import { newCompany } from './company-things.ts';
import type { RegisteredRoute } from './registered-routes.ts';

/** What somebody is, as far as that decides what they may do. */
export interface Standing {
  /** Whether they come with a token at all, and if so, whether it is good and its user there and active. */
  token: 'none' | 'refused' | 'good';
  /** Their active platform role. */
  platform?: SystemRole | undefined;
  /** The roles that they hold in companies, deactivated ones too. */
  held?: readonly (readonly [role: CompanyRole, companyId: string])[];
  /** What roles of a company's own open to them, while it is active. */
  own?: readonly (readonly [rule: string, companyId: string])[];
}

/** What is asked for: a company, or things of it. */
export interface CompanyRequests {
  companyId: string;
  /** Whether there is such a company at all, and an active one. */
  is: 'active' | 'closed' | 'unknown';
  /** What to send to each operation that is asked about a company or one of its things. */
  requests: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Adds what an earlier request has deleted. */
  renew(): Promise<void>;
}

/** Who may do for others what everybody may for themselves. */
const ROLES_FOR_OTHERS: Readonly<Record<string, readonly Role[]>> = {
  'approvalPolicies.evaluate': ['CORPORATE_ADMIN', 'MANAGER'],
  'users.getTraveller': ['CORPORATE_ADMIN'],
  'users.updateTraveller': ['CORPORATE_ADMIN'],
};

/** The rule that opens the same by a role of a company's own. */
const RULES_FOR_OTHERS: Readonly<Record<string, string>> = { 'approvalPolicies.evaluate': 'corporate' };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The rules of access in a few lines, told once more and apart from the service: what it has to answer to somebody, where nothing
 * but who they are and which company they ask for can be wrong.
 */
export function rightAnswer(
  { operation }: RegisteredRoute,
  { token, platform, held = [], own = [] }: Standing,
  { companyId, is, requests }: CompanyRequests,
): string {
  const { id: name, access } = operation;
  if (access.name === 'public') return '200';
  if (token === 'none') return '401 AUTHENTICATION_REQUIRED';
  if (token === 'refused') return '401 INVALID_TOKEN';
  if (name === 'legalEntities.billTo') {
    const isReached =
      platform === 'SUPER_ADMIN' ? is !== 'unknown' : is === 'active' && held.some(([, id]) => id === companyId);
    if (!UUID.test(String(requests[name]?.userId))) return '400 INVALID_INPUT';
    return isReached ? '200' : '404 NOT_FOUND';
  }
  const roles = ROLES_FOR_OTHERS[name] ?? access.roles;
  if (roles === undefined) return '200';
  if (access.name === 'key') return '403 SCOPE_REQUIRED';
  const everywhere = platform !== undefined && roles.includes(platform);
  const rule = name in ROLES_FOR_OTHERS ? RULES_FOR_OTHERS[name] : access.name;
  const companies = [...held.filter(([role]) => roles.includes(role)), ...own.filter(([each]) => each === rule)].map(
    ([, company]) => company,
  );
  const request = requests[name];
  const isForOther = name.startsWith('users.') && name in ROLES_FOR_OTHERS;
  // No id: their own.
  if (name === 'users.getTraveller' && request?.id === '') return '200';
  if (isForOther && !UUID.test(String(request?.id))) return '400 INVALID_INPUT';
  if (!everywhere && companies.length === 0) return '403 ROLE_REQUIRED';
  // With If-Match of a state that never was: what may be deleted stays, where that header is understood.
  const stays = name.endsWith('.delete') && name !== 'webhooks.delete';
  const allowed = stays ? '412 PRECONDITION_FAILED' : '200';
  if (request === undefined || !isAboutOne(request)) return allowed;
  const isById = !('companyId' in request);
  const { ids = [], [isById ? 'id' : 'companyId']: requested = ids[0] ?? '' } = request as Record<string, string>;
  const takesText = isById && /^(?:approvalPolicies|bookings)\./.test(name);
  // Those of all companies are asked for by naming none.
  if (requested === '' && ['apiKeys.list', 'webhooks.list', 'mails.list'].includes(name) && everywhere) return '200';
  // Those of the platform.
  if (requested === '' && /^(?:fields|roles)\.list$/.test(name)) return '200';
  if (requested === '' && /^(?:fields|roles)\.create$/.test(name))
    return everywhere ? '409 ALREADY_EXISTS' : '403 COMPANY_FORBIDDEN';
  if (requested === '' || !(takesText || UUID.test(requested))) return '400 INVALID_INPUT';
  if (everywhere ? is !== 'unknown' : is === 'active' && companies.includes(companyId)) return allowed;
  return isById ? '404 NOT_FOUND' : '403 COMPANY_FORBIDDEN';
}

/** Whether a request is about a company or one of its things. */
export function isAboutOne(request: object): boolean {
  return 'id' in request || 'ids' in request || 'companyId' in request;
}

/** Asks by this route and with this token, for what the operation needs to be asked for. */
export async function askBy(
  app: FastifyInstance,
  { method, url, operation }: RegisteredRoute,
  token: string | undefined,
  { requests, renew }: CompanyRequests,
): Promise<LightMyRequestResponse> {
  if (operation.id.startsWith('webhooks.')) await renew();
  const request = requests[operation.id] ?? (operation.id === 'companies.create' ? newCompany() : {});
  const query = Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)]));
  return app.inject({
    method,
    url,
    ...(method === 'POST' && !operation.takesCsv ? { payload: request } : { query }),
    ...(operation.takesCsv ? { payload: 'email\n' } : {}),
    headers: {
      ...(operation.takesCsv ? { 'content-type': 'text/csv' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(operation.id.endsWith('.delete') ? { 'if-match': '"another"' } : {}),
    },
  });
}

/** Asserts that the answer by this route is the right one. */
export function assertRightAnswer(
  route: RegisteredRoute,
  standing: Standing,
  requested: CompanyRequests,
  response: LightMyRequestResponse,
): void {
  const { statusCode, body } = response;
  const place = `${route.method} ${route.url} of ${requested.companyId}: ${body.slice(0, 300)}`;
  // An answer to HEAD has no body that could hold a code.
  const right = rightAnswer(route, standing, requested).slice(0, route.method === 'HEAD' ? 3 : undefined);
  const code = statusCode === 200 || body === '' ? '' : ` ${(JSON.parse(body) as { code: string }).code}`;
  assert.equal(`${statusCode}${code}`, right, place);
  if (route.operation.access.name !== 'public') assert.equal(response.headers['cache-control'], 'no-store', place);
}
