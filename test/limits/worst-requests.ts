import type { Scope } from '../../src/entities/api-key.ts';
import type { Bulk } from './bulk.ts';
import type { Attack } from './sending.ts';

/** What requests are made of. */
interface Given {
  bulk: Bulk;
  policyId: string;
  token: string;
}

/** Requests of one caller, each as heavy as it may be, at the rate of its limit. */
export interface WorstRequests {
  name: string;
  /** Of a key; absent: `who` sends them. */
  scope?: Scope;
  who?: 'admin' | 'employee';
  /** A second. */
  rate: number;
  requests: (given: Given) => ((number: number) => Attack)[];
}

/** Requests a second of one caller, and those of them by which a person changes something. */
const [RATE, WRITES] = [10, 1];

const get =
  (token: string, path: string): (() => Attack) =>
  (): Attack => ({ method: 'GET', path, token });
const post =
  (token: string, path: string, body: (number: number) => object, method: 'POST' | 'PATCH' = 'POST') =>
  (number: number): Attack => ({ method, path, token, body: JSON.stringify(body(number)) });
const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, n) => item(n));

const lists = (token: string, { id, people }: Bulk) => [
  get(token, `/api/users/list?companyId=${id}&limit=100&search=a`),
  get(token, `/api/users/list?companyId=${id}&limit=100&search=no+such+person`),
  get(token, `/api/users/list?companyId=${id}&limit=100&page=100`),
  get(token, `/api/users/list?companyId=${id}&limit=100&role=MANAGER&search=family`),
  get(token, `/api/users/get?id=${people[0]}`),
];
const trail = (token: string) => [
  get(token, '/api/events/list?limit=1000'),
  get(token, '/api/audit/list?limit=100&page=50'),
];
const evaluations = (token: string, { id, people }: Bulk, policyId: string) => [
  get(token, `/api/approval-policies/evaluate?id=${policyId}&amount=9999999999.99&userId=${people[0]}`),
  get(token, `/api/approval-policies/list?companyId=${id}&limit=100&search=a`),
];

export const WORST: readonly WorstRequests[] = [
  {
    name: 'administrator, reading',
    who: 'admin',
    rate: RATE - WRITES,
    requests: ({ bulk, policyId, token }) => [
      ...lists(token, bulk),
      ...trail(token),
      ...evaluations(token, bulk, policyId),
    ],
  },
  {
    name: 'administrator, writing',
    who: 'admin',
    rate: WRITES,
    requests: ({ bulk, token }) => [
      post(token, '/api/users/save', (number) => ({
        companyId: bulk.id,
        update: bulk.people.map((id) => ({ id, lastName: `Saved ${number}`, addressLine1: 'x'.repeat(255) })),
      })),
    ],
  },
  {
    name: 'employee, reading',
    who: 'employee',
    rate: RATE - WRITES,
    requests: ({ token }) => [get(token, '/api/users/profile'), ...trail(token)],
  },
  {
    name: 'employee, writing',
    who: 'employee',
    rate: WRITES,
    requests: ({ token }) => [
      post(token, '/api/users/update-profile', (number) => ({
        addressLine1: `${number}`.padEnd(255, 'x'),
        addressLine2: `${number}`.padEnd(255, 'y'),
      })),
    ],
  },
  { name: 'users.read', scope: 'users.read', rate: RATE, requests: ({ bulk, token }) => lists(token, bulk) },
  {
    name: 'policies.evaluate',
    scope: 'policies.evaluate',
    rate: RATE,
    requests: ({ bulk, policyId, token }) => evaluations(token, bulk, policyId),
  },
  {
    name: 'departments.read',
    scope: 'departments.read',
    rate: RATE,
    requests: ({ bulk, token }) =>
      ['departments', 'bands'].map((list) => get(token, `/api/${list}/list?companyId=${bulk.id}&limit=100&search=a`)),
  },
  { name: 'events.read', scope: 'events.read', rate: RATE, requests: ({ token }) => trail(token) },
  {
    name: 'bookings.write',
    scope: 'bookings.write',
    rate: RATE,
    requests: ({ bulk, token }) => [
      post(token, '/api/bookings/record', (number) => ({
        bookings: many(1_000, (n) => ({
          id: `${number}-${n}`,
          companyId: bulk.id,
          userId: bulk.people[n % bulk.people.length],
          amount: '1.00',
        })),
      })),
    ],
  },
  {
    name: 'scim',
    scope: 'scim',
    rate: RATE,
    requests: ({ bulk, token }) => [
      get(token, '/scim/v2/Users?startIndex=5000&count=200'),
      get(token, `/scim/v2/Users?filter=${encodeURIComponent('userName eq "person7@company0.example"')}`),
      get(token, '/scim/v2/Groups?excludedAttributes=members'),
      post(token, '/scim/v2/Users/.search', () => ({ attributes: many(100, (n) => `a${n}`).join(','), count: 200 })),
      post(
        token,
        `/scim/v2/Users/${bulk.people[1]}`,
        (number) => ({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [
            { op: 'add', path: 'emails', value: many(99, (n) => ({ type: `t${n}`, value: `a${n}@x.example` })) },
            { op: 'remove', path: `emails[${many(20, (n) => `type eq "${n}"`).join(' or ')}]` },
            { op: 'replace', path: 'name.familyName', value: `Patched ${number}` },
          ],
        }),
        'PATCH',
      ),
    ],
  },
];
