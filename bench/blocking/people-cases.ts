import { AMOUNT, DEFAULTS, email, made, person, smallObjects, writes } from './administration-writes.ts';
import type { BlockingCase } from './blocking-case.ts';
import { COMPANY, CORPORATE_ADMIN, foundHundred, longFields, longText, ofCompany } from './largest.ts';

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

const IMPORT = { method: 'POST', path: '/api/users/import', as: CORPORATE_ADMIN, type: 'text/csv', rounds: 3 } as const;

/** As many rows as an import may have, in a file of nearly as many bytes. */
function csvOf(row: (number: number) => string): string {
  return `email,firstName,lastName,addressLine1\n${Array.from({ length: 50_000 }, (_, number) => `${row(number)}\n`).join('')}`;
}

const role = (round: number) => ({ userId: person(round), companyId: COMPANY, role: 'MANAGER' });

const PEOPLE = { method: 'GET', path: '/api/users/list', as: CORPORATE_ADMIN } as const;

/** Reads and changes of people. */
export const PEOPLE_CASES: readonly BlockingCase[] = [
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
