/** A rule that is broken on purpose, and the tests that must notice. */
export interface Mutation {
  rule: string;
  file: string;
  /** Stands in the file once or more; the first is replaced. */
  found: string;
  replaced: string;
  /** Parts of the paths of test files. */
  tests: readonly string[];
  /** Absent: on a PostgreSQL server. */
  database?: 'pglite';
}

const ACCESS = 'src/auth/callers/access.ts';
const ROLES = 'src/auth/callers/roles.ts';
const RULES = 'src/features/people/person-rules.ts';
const ADDRESSES = 'src/features/webhooks/public-addresses.ts';

export const MUTATIONS: readonly Mutation[] = [
  {
    rule: 'a manager looks after no company',
    file: ACCESS,
    found: "holderOf('admin', ['SUPER_ADMIN', 'CORPORATE_ADMIN'])",
    replaced: "holderOf('admin', ['SUPER_ADMIN', 'CORPORATE_ADMIN', 'MANAGER'])",
    tests: ['auth/access-matrix'],
  },
  {
    rule: 'a role is needed',
    file: 'src/auth/callers/authentication.ts',
    found: 'requireRole(access, caller);',
    replaced: '',
    tests: ['auth/access-matrix'],
  },
  {
    rule: 'a company of others is forbidden',
    file: ACCESS,
    found: 'reach.includes(companyId)',
    replaced: 'reach.length > 0',
    tests: ['auth/company-access'],
  },
  {
    rule: 'a role in a closed company opens nothing',
    file: ROLES,
    found: 'companyActive && roles.includes(role)',
    replaced: 'roles.includes(role)',
    tests: ['auth/company-access', 'callers/access.test'],
  },
  {
    rule: 'a platform role counts while it is active',
    file: ROLES,
    found: 'systemRole?.active === true && roles.includes(systemRole.role)',
    replaced: 'systemRole !== null && roles.includes(systemRole.role)',
    tests: ['callers/access.test', 'auth/revocation'],
  },
  {
    rule: 'a key opens what its scopes say',
    file: ACCESS,
    found: 'scope !== undefined && scopes.includes(scope)',
    replaced: 'scope !== undefined',
    tests: ['provisioning/api-keys'],
  },
  {
    rule: 'a revoked key is no key',
    file: 'src/auth/callers/api-keys.ts',
    found: 'api_keys.revoked_at is null and',
    replaced: '',
    tests: ['provisioning/api-keys'],
  },
  {
    rule: 'a token runs out',
    file: 'src/auth/tokens/token-claims.ts',
    found: 'if (exp <= now)',
    replaced: 'if (exp <= 0)',
    tests: ['auth/access-tokens'],
  },
  {
    rule: 'a token is signed',
    file: 'src/auth/tokens/access-token.ts',
    found: 'await compactVerify(token, findKey, { algorithms: [keys.algorithm] });',
    replaced: 'void compactVerify; void findKey;',
    tests: ['auth/forged-tokens'],
  },
  {
    rule: 'the last Super Admin stays',
    file: RULES,
    found: 'await assertNotLastSuperAdmin(transaction, leaving);',
    replaced: '{ void assertNotLastSuperAdmin; }',
    tests: ['administration/roles'],
  },
  {
    rule: 'the last Corporate Admin stays',
    file: RULES,
    found: 'await assertNotLastCorporateAdmin(transaction, leaving, companyId);',
    replaced: 'void [assertNotLastCorporateAdmin, companyId];',
    tests: ['administration/roles'],
  },
  {
    rule: 'of two who leave at once the other is looked at under a lock',
    file: RULES,
    found: 'order by user_id for update',
    replaced: 'order by user_id',
    tests: ['administration/races'],
  },
  {
    rule: 'If-Match holds',
    file: 'src/api/crud.ts',
    found: 'checkIfMatch(ifMatch, present, entity.noun);',
    replaced: '',
    tests: ['administration/own-things', 'administration/versions'],
  },
  {
    rule: 'signs of a pattern are letters of a search',
    file: 'src/db/sql/sql-fragments.ts',
    found: ".replace(/[\\\\%_]/g, '\\\\$&')",
    replaced: '',
    tests: ['departments/departments-list'],
  },
  {
    rule: 'the first page begins with the first item',
    file: 'src/db/sql/select-page.ts',
    found: '(page - 1) * limit',
    replaced: 'page * limit',
    tests: ['departments/departments-list'],
  },
  {
    rule: 'accents do not matter',
    file: 'src/lib/text-folding.ts',
    found: ".replace(REMOVED, '')",
    replaced: '',
    tests: ['src/lib/text-folding', 'without-database/geography/search'],
  },
  {
    rule: 'a limit is so many a minute',
    file: 'src/http/limits/rate-limiter.ts',
    found: 'if (left >= 0)',
    replaced: 'if (left >= -1)',
    tests: ['limits/rate-limiter'],
  },
  {
    rule: 'so many requests are in flight at most',
    file: 'src/http/connections/in-flight.ts',
    found: 'if (slots.length >= limit) {',
    replaced: 'if (slots.length > limit) {',
    tests: ['without-database/http/limits'],
  },
  {
    rule: 'nothing is sent to an address that is not public',
    file: ADDRESSES,
    found: "plain.range() === 'unicast' && ",
    replaced: '',
    tests: ['webhooks/addresses'],
  },
  {
    rule: 'a name is looked up before a connection',
    file: ADDRESSES,
    found: '!permitsPrivate && found.some(',
    replaced: '!permitsPrivate && family !== 0 && found.some(',
    tests: ['webhooks/addresses'],
  },
  {
    rule: 'a name stands once in a body',
    file: 'src/lib/strict-json.ts',
    found: 'if (repeated.length > 0)',
    replaced: 'if (repeated.length > 1)',
    tests: ['lib/strict-json'],
  },
  {
    rule: 'an answer that nobody reads is cut',
    file: 'src/http/connections/slow-readers.ts',
    found: 'now - wait.since >= bounds.stalled',
    replaced: 'now - wait.since >= 10 * bounds.stalled',
    tests: ['connections/slow-readers'],
  },
  {
    rule: 'the disk keeps its reserve',
    file: 'src/embedded/disk-reserve.ts',
    found: 'isLow: () => look() < reserve',
    replaced: 'isLow: () => look() < 0',
    tests: ['db/disk-reserve'],
    database: 'pglite',
  },
];
