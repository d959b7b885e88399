import { uuid } from '../../test/support/rows.ts';
import { type BlockingCase, fullBody, LARGE_BODY_LIMIT } from './blocking-case.ts';
import {
  BAND,
  COMPANY,
  CORPORATE_ADMIN,
  foundHundred,
  longFields,
  longText,
  ofCompany,
  SUPER_ADMIN,
} from './largest.ts';

/** People who are there, and ids that are not until they are made. */
const person = (round: number) => uuid(100 + round);
const made = (round: number) => uuid(1_000_000 + round);
const email = (what: string, round: number) => `${what}${round}@${'long.'.repeat(40)}example`;
/** Of what has been made. */
const idOf = (last: string) => /"id":"([^"]+)"/.exec(last)?.[1] ?? '';
/** The largest amount. */
const AMOUNT = '9999999999.99';
const DEFAULTS = { departmentId: uuid(1), bandId: BAND };

/** A write by an administrator of the company, once as it should be and once with as many unknown fields as fit. */
function writes(
  path: string,
  as: string,
  fields: (round: number, last: string) => object,
  behind = '',
): BlockingCase[] {
  const write = { method: 'POST', path: `/api/${path}`, as, behind } as const;
  return [
    { ...write, name: path, body: (round, last) => JSON.stringify(fields(round, last)) },
    {
      ...write,
      name: `${path}, a body of 64 KiB that is wrong`,
      body: (round, last) => fullBody(fields(round, last)),
      status: 400,
    },
  ];
}

const SAVE = { method: 'POST', path: '/api/users/save', as: CORPORATE_ADMIN } as const;
const saved = (number: number) => ({
  id: made(100_000 + number),
  email: `saved${number}@long.example`,
  firstName: 'Saved',
  lastName: `${number}`,
  clientType: 'CORPORATE',
  approvalLimit: AMOUNT,
  phone: '+353 1 555 0100',
  dateOfBirth: '1990-05-14',
  addressLine1: longText(number, 100),
  pincode: '12345',
  ...DEFAULTS,
  roles: ['EMPLOYEE', 'MANAGER'],
});
const wrong = (one: object) => Object.fromEntries(Object.keys(one).map((name) => [name, '']));

/** A body of half a megabyte whose objects have a name each that none before has, the last one twice. */
function smallObjects(list: string): string {
  const objects = Array.from({ length: 38_000 }, (_, n) => `{"${n.toString(36)}":0}`).join(',');
  return `{"companyId":"${COMPANY}","${list}":[${objects},{"a":1,"a":2}]}`;
}

const IMPORT = { method: 'POST', path: '/api/users/import', as: CORPORATE_ADMIN, type: 'text/csv', rounds: 3 } as const;

/** As many rows as an import may have, in a file of nearly as many bytes. */
function csvOf(row: (number: number) => string): string {
  return `email,firstName,lastName,addressLine1\n${Array.from({ length: 50_000 }, (_, number) => `${row(number)}\n`).join('')}`;
}

/** A thing of the company: made, read, listed, changed and removed. */
function things(path: string, fields: (round: number) => object): BlockingCase[] {
  const one = (round: number) => ({ id: made(round) });
  return [
    ...writes(`${path}/create`, CORPORATE_ADMIN, (round) => ({ ...one(round), companyId: COMPANY, ...fields(round) })),
    { name: `${path}/get`, method: 'GET', path: `/api/${path}/get`, as: CORPORATE_ADMIN, query: one },
    ...writes(`${path}/update`, CORPORATE_ADMIN, (round) => ({ ...one(round), ...fields(round + 100) })),
    ...writes(`${path}/delete`, CORPORATE_ADMIN, one),
  ];
}

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
const role = (round: number) => ({ userId: person(round), companyId: COMPANY, role: 'MANAGER' });
const bookings = (round: number) =>
  Array.from({ length: 1_000 }, (_, number) => ({
    id: `${round}-${number}-`.padEnd(100, 'b'),
    companyId: COMPANY,
    userId: uuid(1_000 + number),
    amount: AMOUNT,
  }));

const PEOPLE = { method: 'GET', path: '/api/users/list', as: CORPORATE_ADMIN } as const;
const EVALUATE = { method: 'GET', path: '/api/approval-policies/evaluate', as: CORPORATE_ADMIN } as const;

const people: BlockingCase[] = [
  { ...PEOPLE, name: 'people, a page of 100', query: ofCompany },
  { ...PEOPLE, name: 'people, the last page of 100', query: () => ({ ...ofCompany(), page: '100' }) },
  { ...PEOPLE, name: 'people, a page of those found', query: (n) => ({ ...ofCompany(), ...foundHundred(n) }) },
  { ...PEOPLE, name: 'people, those of a role', query: () => ({ ...ofCompany(), role: 'MANAGER' }) },
  { name: 'users/get', method: 'GET', path: '/api/users/get', as: CORPORATE_ADMIN, query: (n) => ({ id: person(n) }) },
  ...writes('users/create', CORPORATE_ADMIN, (n) => ({
    id: made(n),
    companyId: COMPANY,
    email: email('joiner', n),
    ...longFields(n),
    ...DEFAULTS,
    clientType: 'CORPORATE',
    approvalLimit: AMOUNT,
    roles: ['CORPORATE_ADMIN', 'EMPLOYEE', 'MANAGER'],
  })),
  ...writes('users/update', CORPORATE_ADMIN, (n) => ({
    id: person(n),
    ...longFields(n + 7),
    email: email('moved', n),
    approvalLimit: AMOUNT,
    ...DEFAULTS,
  })),
  {
    ...SAVE,
    name: 'users/save, 250 who are new and 250 who are changed',
    body: (n) =>
      JSON.stringify({
        companyId: COMPANY,
        create: Array.from({ length: 250 }, (_, at) => saved(250 * n + at)),
        update: Array.from({ length: 250 }, (_, at) => ({ id: person(1000 + at), lastName: `Saved ${n}` })),
      }),
  },
  {
    ...SAVE,
    name: 'users/save, 500 who are wrong',
    body: () =>
      JSON.stringify({ companyId: COMPANY, create: Array.from({ length: 500 }, (_, at) => wrong(saved(at))) }),
    status: 400,
  },
  { ...SAVE, name: 'users/save, 512 KiB of small objects', body: () => smallObjects('create'), status: 400 },
  {
    ...SAVE,
    name: 'users/save, 120,000 roles of one person',
    status: 400,
    body: () =>
      JSON.stringify({
        companyId: COMPANY,
        create: [{ ...saved(0), roles: Array.from({ length: 120_000 }, () => 0) }],
      }),
  },
  {
    ...IMPORT,
    name: 'users/import, 50,000 new people, checked',
    query: () => ({ companyId: COMPANY, dryRun: 'true' }),
    body: (n) => csvOf((number) => `import${n}.${number}@long.example,Imported,${number},${'x'.repeat(140)}`),
  },
  {
    ...IMPORT,
    name: 'users/import, 50,000 lines that are wrong, checked',
    query: () => ({ companyId: COMPANY, dryRun: 'true' }),
    body: () => csvOf(() => `none,,,${'x'.repeat(180)}`),
  },
  ...writes('users/grant-role', CORPORATE_ADMIN, role),
  ...writes('users/revoke-role', CORPORATE_ADMIN, role),
];

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
  ...people,
  ...things('departments', (n) => ({ name: longText(n, 200), costCode: longText(n, 50), budget: AMOUNT })),
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
