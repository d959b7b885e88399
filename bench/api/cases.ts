import { inTurn, type Requests, requestBytes } from '../support/load.ts';
import type { Goals } from '../support/log-levels.ts';
import { type Caller, FULL_PAGES } from './data.ts';

/** What both servers are asked for. */
export interface ApiCase {
  name: string;
  requests: Requests;
  /** Fields of `data` that are of the moment of the request. */
  momentary?: readonly string[];
}

export const COMPANIES = '/api/companies/list';
export const DEPARTMENTS = '/api/departments/list';
export const POLICIES = '/api/approval-policies/list';
export const PEOPLE = '/api/users/list';
export const EVALUATION = '/api/approval-policies/evaluate';
export const PROFILE = '/api/users/profile';
const UPDATE = '/api/users/update-profile';

export const PATCHED_FIELDS = ['phone', 'addressLine2'] as const;

/** The ratios to the bare server that are requested. */
export const GOALS: Goals = { info: 0.75, warn: 0.8 };

/** Of a booking that the first level of each policy has to approve. */
const AMOUNT = '6000.00';

/** @param companies how many there are */
export function apiCases(callers: readonly Caller[], companies: number): ApiCase[] {
  const get = (path: string, { authorization }: Caller) => requestBytes('GET', path, { headers: { authorization } });
  const ofAll = (pathFor: (caller: Caller, number: number) => string): Requests =>
    inTurn(callers.map((caller, number) => get(pathFor(caller, number), caller)));
  const inCompany = (path: string) =>
    ofAll(({ companyId }, number) => `${path}?companyId=${companyId}&page=${1 + (number % FULL_PAGES)}&limit=10`);
  const pages = Math.floor(companies / 10);
  return [
    { name: 'profile view', requests: ofAll(() => PROFILE) },
    { name: 'profile update', requests: updates(callers), momentary: ['updatedAt'] },
    {
      name: 'companies, page of 10',
      requests: ofAll((_caller, number) => `${COMPANIES}?page=${1 + (number % pages)}&limit=10`),
    },
    { name: 'departments, page of 10', requests: inCompany(DEPARTMENTS) },
    { name: 'approval policies, page of 10', requests: inCompany(POLICIES) },
    { name: 'people, page of 10', requests: inCompany(PEOPLE) },
    {
      name: 'who has to approve',
      requests: ofAll(({ policyId }) => `${EVALUATION}?id=${policyId}&amount=${AMOUNT}`),
    },
    {
      name: 'who has to approve for a person',
      requests: ofAll(({ userId }) => `${EVALUATION}?userId=${userId}&amount=${AMOUNT}`),
    },
  ];
}

/** Each writes what nobody has written before: another server may have been at the same profile. */
function updates(callers: readonly Caller[]): Requests {
  let written = Date.now();
  return (number) => {
    const { authorization = '' } = callers[number % callers.length] ?? {};
    written += 1;
    const patch = { phone: `+91${9_000_000_000 + (written % 1_000_000_000)}`, addressLine2: `Flat ${written}` };
    return requestBytes('POST', UPDATE, { headers: { authorization }, body: JSON.stringify(patch) });
  };
}
