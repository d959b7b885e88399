import { uuid } from '../../test/support/rows.ts';
import { AMOUNT, email, made, person, smallObjects, things, writes } from './administration-writes.ts';
import { type BlockingCase, fullBody, LARGE_BODY_LIMIT } from './blocking-case.ts';
import { COMPANY, CORPORATE_ADMIN, longText, ofCompany, SUPER_ADMIN } from './largest.ts';
import { PEOPLE_CASES } from './people-cases.ts';

/** More than the departments that are imported, whose cost codes are longText(1), longText(2) … */
const IMPORTED = 1_000;
/** Of what has been made. */
const idOf = (last: string) => /"id":"([^"]+)"/.exec(last)?.[1] ?? '';
const company = (round: number) => ({
  name: longText(round, 200),
  legalName: longText(round + 1, 200),
  gstin: `LARGEST-${round}`,
  email: email('office', round),
  creditLimit: AMOUNT,
  creditDays: 30,
});
const levels = (round: number) =>
  Array.from({ length: 20 }, (_, level) => ({ level: level + 1, roleRequired: 'MANAGER', minAmount: `${round}.00` }));
const bookings = (round: number) =>
  Array.from({ length: 1_000 }, (_, number) => ({
    id: `${round}-${number}-`.padEnd(100, 'b'),
    companyId: COMPANY,
    userId: uuid(1_000 + number),
    amount: AMOUNT,
  }));

const EVALUATE = { method: 'GET', path: '/api/approval-policies/evaluate', as: CORPORATE_ADMIN } as const;

const companies: BlockingCase[] = [
  {
    name: 'companies/get',
    method: 'GET',
    path: '/api/companies/get',
    as: SUPER_ADMIN,
    query: (n) => ({ id: uuid(1 + n) }),
  },
  ...writes('companies/create', SUPER_ADMIN, (n) => ({
    id: made(n),
    ...company(n),
    firstAdmin: { email: email('first', n), firstName: longText(n, 100), lastName: longText(n, 100) },
  })),
  ...writes('companies/update', SUPER_ADMIN, (n) => ({ id: made(n), ...company(n + 100), active: n % 2 === 1 })),
];

const policies: BlockingCase[] = [
  {
    ...EVALUATE,
    name: 'approval-policies/evaluate, ten levels',
    query: () => ({ id: longText(1, 100), amount: AMOUNT, userId: person(0) }),
  },
  ...things('approval-policies', (n) => ({ name: longText(n, 200), autoApprovalLimit: '0.00', levels: levels(n) })),
];

/** What is made with an id of the service's own, and found by the answer before. */
function kept(
  path: string,
  fields: (round: number) => object,
  more: (create: string) => BlockingCase[],
): BlockingCase[] {
  const create = `${path}/create`;
  const list = { method: 'GET', path: `/api/${path}/list`, as: CORPORATE_ADMIN } as const;
  return [
    ...writes(create, CORPORATE_ADMIN, (n) => ({ companyId: COMPANY, ...fields(n) })),
    { ...list, name: `${path}, a page of 100`, query: ofCompany },
    ...more(create),
  ];
}

const ofLast = (_round: number, last: string) => ({ id: idOf(last) });
const url = `http://127.0.0.1:9/${'w'.repeat(1_900)}`;
const webhook = (round: number) => ({ url, description: longText(round, 500), entities: ['user', 'company', 'band'] });
/** One is gone with the first round. */
const once = (cases: readonly BlockingCase[]) =>
  cases.map((each) => (each.status === undefined ? { ...each, rounds: 1 } : each));

/** Everything by which administrators and other systems read and change what there is. */
export const ADMINISTRATION: readonly BlockingCase[] = [
  ...companies,
  ...PEOPLE_CASES,
  ...things('departments', (n) => ({ name: longText(n, 200), costCode: longText(IMPORTED + n, 50), budget: AMOUNT })),
  { name: 'bands, a page of 100', method: 'GET', path: '/api/bands/list', as: CORPORATE_ADMIN, query: ofCompany },
  ...things('bands', (n) => ({ name: longText(n, 200), code: longText(n, 50), maxBookingLimit: AMOUNT })),
  ...policies,
  {
    name: 'bookings/record, 1,000 of them',
    method: 'POST',
    path: '/api/bookings/record',
    as: SUPER_ADMIN,
    body: (n) => JSON.stringify({ bookings: bookings(n) }),
  },
  {
    name: 'bookings/record, 512 KiB of small objects',
    method: 'POST',
    path: '/api/bookings/record',
    as: SUPER_ADMIN,
    status: 400,
    body: () => smallObjects('bookings'),
  },
  {
    name: 'bookings/record, 512 KiB of names',
    method: 'POST',
    path: '/api/bookings/record',
    as: SUPER_ADMIN,
    status: 400,
    body: () => fullBody({ bookings: [] }, LARGE_BODY_LIMIT),
  },
  {
    name: 'bookings/record, 1,000 unchanged',
    method: 'POST',
    path: '/api/bookings/record',
    as: SUPER_ADMIN,
    body: () => JSON.stringify({ bookings: bookings(0) }),
  },
  ...kept(
    'api-keys',
    (n) => ({ name: longText(n, 100), scopes: ['users.read', 'events.read'] }),
    (create) => writes('api-keys/revoke', CORPORATE_ADMIN, ofLast, create),
  ),
  ...kept('webhooks', webhook, (create) => {
    const about = { method: 'GET', as: CORPORATE_ADMIN, behind: create } as const;
    return [
      { ...about, name: 'webhooks/get', path: '/api/webhooks/get', query: ofLast },
      ...writes('webhooks/update', CORPORATE_ADMIN, (n, last) => ({ id: idOf(last), ...webhook(n + 100) }), create),
      ...writes('webhooks/skip', CORPORATE_ADMIN, (n, last) => ({ ...ofLast(n, last), changeId: '1' }), create).map(
        // Nothing stands in line.
        (each) => ({ ...each, status: each.status ?? 409 }),
      ),
      ...writes('webhooks/rotate-secret', CORPORATE_ADMIN, ofLast, create),
      ...once(writes('webhooks/test', CORPORATE_ADMIN, ofLast, create)),
      {
        ...about,
        name: 'webhooks, a page of deliveries',
        path: '/api/webhooks/deliveries',
        rounds: 1,
        query: (_round, last) => ({ id: idOf(last), limit: '100' }),
      },
      ...once(writes('webhooks/delete', CORPORATE_ADMIN, ofLast, create)),
    ];
  }),
];
