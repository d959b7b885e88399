import { roleGroupId } from '../../test/support/role-group-id.ts';
import { uuid } from '../../test/support/rows.ts';
import { type BlockingCase, fullBody, LARGE_BODY_LIMIT, unreadFields } from './blocking-case.ts';
import { BAND_CODE, COMPANY, DIRECTORY, longText } from './largest.ts';

const SCHEMAS = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  orgdesk: 'urn:orgdesk:params:scim:schemas:extension:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const;
/** What lists, paths and searches may have at most: docs/provisioning.md. */
const [VALUES, COMPARISONS, OPERATIONS, NAMES, MEMBERS, RESULTS] = [100, 20, 1_000, 100, 10_000, 200];

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, n) => item(n));
const person = (round: number) => uuid(3_000 + round);
const path = (behind: string) => `/scim/v2/${behind}`;
const USERS = path('Users');
const USER = path('Users/:id');
const GROUPS = path('Groups');
const GROUP = path('Groups/:id');
const EMPLOYEES = roleGroupId(COMPANY, 'EMPLOYEE');
const ofDirectory = { as: DIRECTORY } as const;

/** A person with as many values as lists may have, of the longest texts. */
const largest = (round: number) => ({
  schemas: [SCHEMAS.user, SCHEMAS.enterprise, SCHEMAS.orgdesk],
  userName: `scim${round}@${'long.'.repeat(40)}example`,
  externalId: `${round}`.padEnd(255, 'x'),
  name: { givenName: longText(round, 100), familyName: longText(round + 1, 100) },
  emails: many(VALUES, (n) => ({ type: `type${n}`, value: `mail${n}.${round}@${'long.'.repeat(40)}example` })),
  phoneNumbers: many(VALUES, (n) => ({ type: `type${n}`, value: `+${493_010_000_000_000 + n}` })),
  addresses: many(VALUES, (n) => ({ type: `type${n}`, streetAddress: longText(round + n, 255), postalCode: '12345' })),
  roles: many(3, (n) => ({ value: ['CORPORATE_ADMIN', 'EMPLOYEE', 'MANAGER'][n] })),
  // The cost code of the first department.
  [SCHEMAS.enterprise]: { department: longText(1, 50) },
  [SCHEMAS.orgdesk]: { bandCode: BAND_CODE, approvalLimit: '9999999999.99', gender: longText(round, 50) },
});
/** A little more than the longest body is for what stands next to the fields that nobody knows. */
const full = (fields: object) => fullBody(fields, LARGE_BODY_LIMIT);
const comparisons = (attribute: string) => many(COMPARISONS, (n) => `${attribute} eq "q${n}"`).join(' or ');
const patch = (operations: readonly object[]) => ({ schemas: [SCHEMAS.patch], Operations: operations });
const names = many(NAMES, (n) => `attribute${n}`).join(',');

const reading: BlockingCase[] = [
  ...['ServiceProviderConfig', 'ResourceTypes', 'Schemas'].map((each): BlockingCase => {
    return { ...ofDirectory, name: `SCIM, ${each}`, method: 'GET', path: path(each) };
  }),
  { ...ofDirectory, name: 'SCIM, a schema', method: 'GET', path: path('Schemas/:id'), id: () => SCHEMAS.user },
  { ...ofDirectory, name: 'SCIM, a resource type', method: 'GET', path: path('ResourceTypes/:id'), id: () => 'User' },
  {
    ...{ ...ofDirectory, name: 'SCIM, a page of 200 people', method: 'GET', path: USERS },
    query: (n) => ({ count: String(RESULTS), startIndex: String(1 + n * RESULTS) }),
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, people by a filter of 20 comparisons', method: 'GET', path: USERS },
    query: () => ({ count: String(RESULTS), filter: comparisons('userName') }),
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, people by .search with 100 names', method: 'POST', path: path('Users/.search') },
    body: () => full({ count: RESULTS, attributes: names }),
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, .search with 250,000 names', method: 'POST', path: path('Users/.search') },
    ...{ body: () => JSON.stringify({ excludedAttributes: 'a,'.repeat(250_000) }), status: 400 },
  },
  { ...ofDirectory, name: 'SCIM, a person', method: 'GET', path: USER, id: person },
];

/** As many names as there may be in each object of a person. */
const UNKNOWN = unreadFields(9_900);
const named = (round: number) =>
  `{"userName":"named${round}@x.example","name":{"givenName":"A","familyName":"B",${UNKNOWN}},${UNKNOWN},
    "${SCHEMAS.orgdesk}":{"bandCode":"${BAND_CODE}",${UNKNOWN}},
    "${SCHEMAS.enterprise}":{"department":${JSON.stringify(longText(1, 50))}}}`;

/** People whom no case puts into a group. */
const noMember = (round: number) => uuid(MEMBERS - 50 + round);

const people: BlockingCase[] = [
  {
    ...{ ...ofDirectory, name: 'SCIM, a joiner with 30,000 names', method: 'POST', path: USERS },
    ...{ body: named, status: 201 },
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, a joiner with 100 values of each list', method: 'POST', path: USERS },
    ...{ body: (n) => full(largest(n)), status: 201 },
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, a person put, 100 values of each list', method: 'PUT', path: USER, id: person },
    body: (n) => full(largest(1_000 + n)),
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, a person patched, 1,000 operations', method: 'PATCH', path: USER, id: person },
    body: (n) =>
      full(
        patch([
          { op: 'add', path: 'emails', value: largest(n).emails.slice(1) },
          { op: 'remove', path: `emails[${comparisons('type')}]` },
          ...many(OPERATIONS - 2, (at) => ({ op: 'replace', path: 'name.familyName', value: `Patched ${n} ${at}` })),
        ]),
      ),
  },
  {
    ...{
      ...ofDirectory,
      name: 'SCIM, a person patched, 900 × 20 comparisons',
      method: 'PATCH',
      path: USER,
      id: person,
    },
    ...{ status: 400 },
    body: () =>
      JSON.stringify(
        patch([
          { op: 'add', path: 'emails', value: many(5_000, (n) => ({ type: `t${n}`, value: `a${n}@x.example` })) },
          ...many(700, () => ({ op: 'remove', path: `emails[${comparisons('type')}]` })),
        ]),
      ),
  },
  { ...ofDirectory, name: 'SCIM, a person deleted', method: 'DELETE', path: USER, id: noMember, status: 204 },
];

const group = (members: readonly object[]) => ({ schemas: [SCHEMAS.group], displayName: 'Employees', members });
const member = (n: number) => ({ value: uuid(n + 10), display: `Person ${n}`, $ref: `https://x/Users/${uuid(n)}` });
const ofGroup = { ...ofDirectory, path: GROUP, id: () => EMPLOYEES } as const;

const groups: BlockingCase[] = [
  {
    ...{ ...ofGroup, name: 'SCIM, 9,900 join a group', method: 'PUT', rounds: 1 },
    body: () => JSON.stringify(group(many(MEMBERS - 100, member))),
  },
  { ...ofGroup, name: 'SCIM, a group of 10,000', method: 'GET', rounds: 3 },
  {
    ...{ ...ofGroup, name: 'SCIM, that group put back', method: 'PUT', rounds: 3 },
    body: () => JSON.stringify(group(many(MEMBERS - 100, member))),
  },
  {
    ...{ ...ofGroup, name: 'SCIM, 1,000 join and leave a group', method: 'PATCH', status: 204 },
    body: (n) =>
      JSON.stringify(
        patch(many(OPERATIONS, (at) => ({ op: at % 2 ? 'add' : 'remove', path: 'members', value: [member(n + at)] }))),
      ),
  },
  {
    ...ofDirectory,
    name: 'SCIM, groups',
    method: 'GET',
    path: GROUPS,
    query: () => ({ excludedAttributes: 'members' }),
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, groups by .search', method: 'POST', path: path('Groups/.search') },
    body: () => fullBody({ excludedAttributes: `members,${names}`.split(',').slice(0, NAMES).join(',') }),
  },
  {
    ...{ ...ofDirectory, name: 'SCIM, a group made', method: 'POST', path: GROUPS, status: 409 },
    body: () => full(group([])),
  },
  { ...ofGroup, name: 'SCIM, a group deleted', method: 'DELETE', status: 403 },
];

const nothing: BlockingCase[] = [
  { ...ofDirectory, name: 'SCIM, /Me', method: 'GET', path: path('Me'), status: 501 },
  { ...ofDirectory, name: 'SCIM, /Bulk', method: 'POST', path: path('Bulk'), body: () => fullBody({}), status: 501 },
  {
    ...ofDirectory,
    name: 'SCIM, /.search',
    method: 'POST',
    path: path('.search'),
    body: () => fullBody({}),
    status: 501,
  },
];

/** Everything that a directory asks for and sends. */
export const SCIM_CASES: readonly BlockingCase[] = [...reading, ...people, ...groups, ...nothing];
