import { ADMINISTRATION } from './administration-cases.ts';
import { type BlockingCase, BODY_LIMIT, fullBody } from './blocking-case.ts';
import { CORPORATE_ADMIN, foundHundred, hundred, longFields, longText, ofCompany, SUPER_ADMIN } from './largest.ts';
import { SCIM_CASES } from './scim-cases.ts';

const LETTERS = 'aeinorstluhcdmpkgbvyzfwjxq';

/** Another letter each round. */
const search = (round: number) => ({ search: LETTERS[round % LETTERS.length] ?? '' });
/** A needle that nothing has, for which much has to be looked at: the beginning of names, and no end of it. */
const endless = (round: number) => ({ search: `${'sa'.repeat(100)}${round}` });

function places(list: 'cities' | 'states' | 'countries'): BlockingCase[] {
  const path = `/api/${list}/list`;
  const paged = { isPaginationNeeded: 'true', limit: '1000' };
  return [
    { name: `${list}, all`, method: 'GET', path },
    { name: `${list}, all that have a letter`, method: 'GET', path, query: search },
    { name: `${list}, a page of 1,000 of those`, method: 'GET', path, query: (n) => ({ ...paged, ...search(n) }) },
    { name: `${list}, none found by a long needle`, method: 'GET', path, query: (n) => ({ ...paged, ...endless(n) }) },
    { name: `${list}, all that have a letter, by POST`, method: 'POST', path, body: (n) => fullBody(search(n)) },
    {
      name: `${list}, a page of 1,000, by POST`,
      method: 'POST',
      path,
      body: (n) => fullBody({ ...paged, page: n + 1 }),
    },
  ];
}

const EVENTS = { method: 'GET', path: '/api/events/list' } as const;
const FROM_NOW = 'events, from now, 11,000 not published';
const following: BlockingCase['query'] = (_round, last) => ({
  limit: '1000',
  after: /"next":"([^"]*)"\}$/.exec(last)?.[1] ?? '',
});

const feed: BlockingCase[] = [
  {
    ...EVENTS,
    name: FROM_NOW,
    as: SUPER_ADMIN,
    query: () => ({ from: 'now' }),
    rounds: 1,
  },
  { ...EVENTS, name: 'events, the first 1,000', as: SUPER_ADMIN, query: () => ({ limit: '1000' }) },
  {
    ...EVENTS,
    name: 'events, 1,000 not published',
    as: SUPER_ADMIN,
    behind: FROM_NOW,
    query: following,
    rounds: 10,
    afterImport: true,
  },
  { ...EVENTS, name: 'events, 1,000 published', as: SUPER_ADMIN, behind: FROM_NOW, query: following },
  { ...EVENTS, name: 'events, 1,000 of a company', as: CORPORATE_ADMIN, behind: FROM_NOW, query: following },
];

const trail = (as: string): BlockingCase => ({
  name: `audit trail, a page of 100, as ${as}`,
  method: 'GET',
  path: '/api/audit/list',
  as,
  query: (n) => ({ ...hundred(), page: String(n + 1) }),
});

function pagesOf(what: string, as: string, all: NonNullable<BlockingCase['query']>): BlockingCase[] {
  const list = { method: 'GET', path: `/api/${what}/list`, as } as const;
  return [
    { ...list, name: `${what}, a page of 100`, query: all },
    {
      ...list,
      name: `${what}, a page of 100 of those found`,
      query: (n, last) => ({ ...all(n, last), ...foundHundred(n) }),
    },
  ];
}

const PROFILE = { path: '/api/users/profile', as: CORPORATE_ADMIN };
const UPDATE = { path: '/api/users/update-profile', as: CORPORATE_ADMIN };
/** What 8 KiB of headers have space for. */
const fieldsByGet = (n: number) => ({
  ...longFields(n),
  addressLine1: longText(n, 120),
  addressLine2: longText(n, 120),
});
const wrongFields = Object.fromEntries(Object.keys(longFields(0)).map((field) => [field, longText(1, 1900)]));

const own: BlockingCase[] = [
  { ...PROFILE, name: 'profile', method: 'GET' },
  { ...PROFILE, name: 'profile, by a body of 64 KiB', method: 'POST', body: () => fullBody({}) },
  { ...UPDATE, name: 'profile, all fields updated', method: 'POST', body: (n) => fullBody(longFields(n)) },
  { ...UPDATE, name: 'profile, all fields updated by GET', method: 'GET', query: fieldsByGet },
  { ...UPDATE, name: 'profile, all fields wrong', method: 'POST', body: () => fullBody(wrongFields), status: 400 },
];

const SPENDING = { method: 'GET', path: '/api/departments/spending', as: CORPORATE_ADMIN } as const;

const long = 'x'.repeat(1500);
const wrongParameters = { page: long, limit: long, isPaginationNeeded: 'true', stateId: long, countryId: long };
const nested = (before: string, after: string) => before.repeat(BODY_LIMIT / 8) + after.repeat(BODY_LIMIT / 8);
const CITIES = { path: '/api/cities/list', status: 400 };

const refused: BlockingCase[] = [
  { ...CITIES, name: 'all parameters wrong', method: 'GET', query: () => wrongParameters },
  { ...CITIES, name: 'a body nested in lists', method: 'POST', body: () => nested('[', ']') },
  { ...CITIES, name: 'a body nested in objects', method: 'POST', body: () => nested('{"a":', '}').replace('}', '1}') },
  { ...PROFILE, name: 'a wrong token of 7 kB', method: 'GET', as: 'x'.repeat(7000), status: 401 },
];

const pages: BlockingCase[] = [
  { name: 'configuration of the console', method: 'GET', path: '/console/config' },
  { name: 'the published document', method: 'GET', path: '/openapi.json' },
  { name: 'the script of the documentation', method: 'GET', path: '/docs/swagger-ui-bundle.js' },
  { name: 'alive', method: 'GET', path: '/livez' },
  { name: 'ready', method: 'GET', path: '/readyz' },
];

/** In this order. */
export const CASES: readonly BlockingCase[] = [
  ...feed,
  ...[SUPER_ADMIN, CORPORATE_ADMIN].map(trail),
  ...(['cities', 'states', 'countries'] as const).flatMap(places),
  ...own,
  ...pagesOf('companies', SUPER_ADMIN, hundred),
  ...pagesOf('departments', CORPORATE_ADMIN, ofCompany),
  { ...SPENDING, name: 'departments, a page of what 100 spend', query: ofCompany },
  ...pagesOf('approval-policies', CORPORATE_ADMIN, ofCompany),
  ...ADMINISTRATION,
  ...SCIM_CASES,
  ...refused,
  ...pages,
];
