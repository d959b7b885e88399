import { type Caller, hasCorporateAccess, hasPlatformAccess } from './roles.ts';

/**
 * Who may call what: the one place that says so. The service does not start while a route states no operation of this
 * table, or one that is not public stands outside of a scope that authenticates its callers.
 *
 * - `public`: anyone, without a token
 * - `self`: any active user, about themselves; the audit trail and the change feed also about what they administer
 * - `platform`: an active Super Admin or Platform RM
 * - `corporate`: a Corporate Admin or Manager of the company asked for
 */
export const ACCESS_TABLE = {
  'profile.view': 'self',
  'profile.update': 'self',
  'cities.list': 'public',
  'states.list': 'public',
  'countries.list': 'public',
  'companies.list': 'platform',
  'approvalPolicies.list': 'corporate',
  'departments.list': 'corporate',
  'audit.list': 'self',
  'events.list': 'self',
  health: 'public',
  documentation: 'public',
  console: 'public',
} as const satisfies Record<string, Access>;

export type Access = 'public' | 'self' | 'platform' | 'corporate';
export type Operation = keyof typeof ACCESS_TABLE;

/** What a caller lacks who may not call an operation; undefined for one who may (the company apart). */
export function missingRole(operation: Operation, caller: Caller): string | undefined {
  switch (ACCESS_TABLE[operation]) {
    case 'public':
    case 'self':
      return undefined;
    case 'platform':
      return hasPlatformAccess(caller) ? undefined : 'the role Super Admin or Platform RM';
    case 'corporate':
      return hasCorporateAccess(caller) ? undefined : 'the role Corporate Admin or Manager';
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row of the access table that this route falls under. */
    operation?: Operation;
    /** Set on the routes of a scope that authenticates its callers. */
    authenticated?: boolean;
  }
}
