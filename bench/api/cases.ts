import { type CitySearches, citiesPage } from '../support/city-searches.ts';
import { inTurn, type Requests, requestBytes } from '../support/load.ts';
import type { Goals } from '../support/log-levels.ts';
import { type Caller, FULL_PAGES } from './data.ts';

/** What all servers are asked for. */
export interface ApiCase {
  name: string;
  /** The ratios to the bare server that are asked for; absent: it has no such answer. */
  bareGoals?: Goals;
  /** How many times as many requests a second as each of the peers. */
  peerGoal?: number;
  requests: Requests;
  /** The peers have no such answer. */
  isOurs?: boolean;
  /** Fields of `data` that are of the moment of the request. */
  momentary?: readonly string[];
  /** The peers put the items of a page in another order: by name alone. */
  isOrderOurs?: boolean;
}

export const COMPANIES = '/api/companies/list';
export const DEPARTMENTS = '/api/departments/list';
export const POLICIES = '/api/approval-policies/list';
export const PEOPLE = '/api/users/list';
export const EVALUATION = '/api/approval-policies/evaluate';
export const PROFILE = '/api/users/profile';
const UPDATE = '/api/users/update-profile';

export const PATCHED_FIELDS = ['phone', 'addressLine2'] as const;

const bareGoals: Goals = { info: 0.75, warn: 0.8 };

/** Of a booking that the first level of each policy has to approve. */
const AMOUNT = '6000.00';

/** With hits of one page: the peers would show others on the first of several. */
const CITY_SEARCHES = 10_000;
const PAGE = 10;
/** Letters: what is shorter stands in names that ILIKE does not find. */
const SHORTEST_NEEDLE = 5;

/** @param companies how many there are */
export function apiCases(callers: readonly Caller[], companies: number, cities: CitySearches): ApiCase[] {
  const get = (path: string, { authorization }: Caller) => requestBytes('GET', path, { headers: { authorization } });
  const ofAll = (pathFor: (caller: Caller, number: number) => string): Requests =>
    inTurn(callers.map((caller, number) => get(pathFor(caller, number), caller)));
  const inCompany = (path: string) =>
    ofAll(({ companyId }, number) => `${path}?companyId=${companyId}&page=${1 + (number % FULL_PAGES)}&limit=10`);
  const pages = Math.floor(companies / 10);
  const isPlain = ({ search, countryId, stateId }: { search: string; countryId?: number; stateId?: number }) =>
    search.length >= SHORTEST_NEEDLE &&
    countryId === undefined &&
    stateId === undefined &&
    cities.isPlain(search) &&
    cities.index.cities.find({ search }).totalItems <= PAGE;
  const searches = cities.draw(CITY_SEARCHES, isPlain);
  return [
    { name: 'profile view', bareGoals, peerGoal: 5, requests: ofAll(() => PROFILE) },
    { name: 'profile update', bareGoals, requests: updates(callers), momentary: ['updatedAt'] },
    {
      name: 'companies, page of 10',
      bareGoals,
      peerGoal: 50,
      requests: ofAll((_caller, number) => `${COMPANIES}?page=${1 + (number % pages)}&limit=10`),
    },
    { name: 'departments, page of 10', bareGoals, requests: inCompany(DEPARTMENTS) },
    { name: 'approval policies, page of 10', bareGoals, requests: inCompany(POLICIES) },
    { name: 'people, page of 10', bareGoals, isOurs: true, requests: inCompany(PEOPLE) },
    {
      name: 'who has to approve',
      bareGoals,
      requests: ofAll(({ policyId }) => `${EVALUATION}?id=${policyId}&amount=${AMOUNT}`),
    },
    {
      name: 'who has to approve for a person',
      bareGoals,
      isOurs: true,
      requests: ofAll(({ userId }) => `${EVALUATION}?userId=${userId}&amount=${AMOUNT}`),
    },
    {
      name: 'cities, search, page of 10',
      peerGoal: 15,
      isOrderOurs: true,
      requests: inTurn(searches.map((search) => citiesPage(search))),
    },
  ];
}

/** Each writes what nobody has written before: another server may have been at the same profile. */
function updates(callers: readonly Caller[]): Requests {
  let written = Date.now();
  return (number) => {
    const { authorization = '' } = callers[number % callers.length] ?? {};
    written += 1;
    const patch = { phone: `+${written}`, addressLine2: `Flat ${written}` };
    return requestBytes('POST', UPDATE, { headers: { authorization }, body: JSON.stringify(patch) });
  };
}
