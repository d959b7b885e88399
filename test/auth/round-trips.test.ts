import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { companyNamed } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openDemoDatabase } from '../support/test-database.ts';

const { db, statements } = recordStatements(await openDemoDatabase());
const api = await buildTestApp({}, async () => db);
after(() => api[Symbol.asyncDispose]());
const { id: companyId } = await companyNamed(db, 'Acme');

for (const [url, email, trips] of [
  ['/api/users/profile', 'employee@acme.example', 1],
  [COMPANIES_LIST, 'super.admin@orgdesk.example', 2],
  [`${COMPANIES_LIST}?search=an&activeOnly=true&page=2`, 'super.admin@orgdesk.example', 2],
  ...Object.values(COMPANY_LISTS).flatMap((path): [string, string, number][] => [
    [`${path}?companyId=${companyId}`, 'manager@acme.example', 2],
    [`${path}?companyId=${companyId}&search=a&page=3`, 'manager@acme.example', 2],
  ]),
] as const) {
  it(`${url.replace(companyId, '…')} takes ${trips} statement${trips > 1 ? 's' : ''}, the check of the caller included`, async () => {
    const headers = { authorization: `Bearer ${await api.tokenFor(email)}` };
    statements.length = 0;
    const { statusCode } = await api.app.inject({ url, headers });
    assert.equal(statusCode, 200);
    assert.equal(statements.length, trips, statements.map(({ text }) => text).join(';\n'));
  });
}
