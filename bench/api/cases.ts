import { type Requests, requestBytes } from '../support/load.ts';
import type { Subject, Subjects } from './subjects.ts';

/** What all servers are asked for. */
export interface ApiCase {
  name: string;
  /** The ratio to the bare server that is asked for; absent: it has no such answer. */
  bareGoal?: number;
  /** How many times as many requests a second as each of the peers. */
  peerGoal?: number;
  requests: Requests;
  /** Fields of `data` that are of the moment of the request. */
  momentary: readonly string[];
}

export const COMPANIES = '/api/companies/list?page=1&limit=10';
export const departmentsOf = (companyId: string) => `/api/departments/list?companyId=${companyId}&page=1&limit=10`;
export const policiesOf = (companyId: string) => `/api/approval-policies/list?companyId=${companyId}&page=1&limit=10`;

/** A needle that ILIKE finds as the search of orgdesk does, in the same order: it stands in names of plain letters alone. */
const CITIES = '/api/cities/list?isPaginationNeeded=true&page=1&limit=10&search=springf';

/** Two values of each field, of one length: each update writes other ones than the one before. */
const PATCHES = [
  { phone: '+91 98450 10001', addressLine2: 'Flat 1' },
  { phone: '+91 98450 10002', addressLine2: 'Flat 2' },
];
export const PATCHED_FIELDS = ['phone', 'addressLine2'] as const;

/** On each connection the request of another of the callers. */
function get(path: string, callers: readonly Subject[]): Buffer[][] {
  return callers.map(({ authorization }) => [requestBytes('GET', path, { headers: { authorization } })]);
}

export function apiCases({ staff, managers, companyId, people }: Subjects): ApiCase[] {
  const updatesOf = ({ authorization }: Subject) =>
    PATCHES.map((patch) =>
      requestBytes('POST', '/api/users/update-profile', { headers: { authorization }, body: JSON.stringify(patch) }),
    );
  return [
    {
      name: 'profile view',
      bareGoal: 0.8,
      peerGoal: 5,
      requests: get('/api/users/profile', people),
      momentary: [],
    },
    { name: 'profile update', bareGoal: 0.8, requests: people.map(updatesOf), momentary: ['updatedAt'] },
    {
      name: 'companies, page of 10',
      bareGoal: 0.8,
      peerGoal: 50,
      requests: get(COMPANIES, staff),
      momentary: [],
    },
    {
      name: 'departments, page of 10',
      bareGoal: 0.8,
      requests: get(departmentsOf(companyId), managers),
      momentary: [],
    },
    {
      name: 'approval policies, page of 10',
      bareGoal: 0.8,
      requests: get(policiesOf(companyId), managers),
      momentary: [],
    },
    { name: 'cities, search, page of 10', peerGoal: 15, requests: requestBytes('GET', CITIES), momentary: [] },
  ];
}
