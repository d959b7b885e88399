import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertInvalid, assertRefused, dataOf, type ErrorBody } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANY_LISTS } from '../support/list-paths.ts';
import { addCompany, addPerson, companyNamed } from '../support/people.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

const acme = await companyNamed(api.db, 'Acme');
const globex = await companyNamed(api.db, 'Globex');
const shut = await addCompany(api.db, 'Shut', { active: false });
const manager = await addPerson(api.db, {
  roles: [
    ['MANAGER', acme],
    ['EMPLOYEE', globex],
    ['MANAGER', shut],
  ],
});
const UNKNOWN = '11111111-2222-4333-8444-555555555555';

for (const [name, url] of Object.entries(COMPANY_LISTS)) {
  const list = (query: Record<string, string | string[]>, as = manager.email) => api.send({ url, query, as });

  describe(`${name}: the company`, () => {
    it(`${name} returns the same 403 for a foreign, deactivated or unknown company`, async () => {
      const answers = [];
      for (const companyId of [globex.id, shut.id, UNKNOWN, '00000000-0000-0000-0000-000000000000']) {
        const answer = await list({ companyId, search: 'travel' });
        assertRefused(answer, 403, 'COMPANY_FORBIDDEN');
        const { requestId, ...body } = answer.json<ErrorBody>();
        const { 'x-request-id': id, date, ...headers } = answer.headers;
        assert.equal(id, requestId);
        assert.equal(JSON.stringify(body).includes(companyId), false);
        answers.push({ body, headers });
      }
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
    });

    it(`${name} returns the requested company, also if it is not the caller's own`, async () => {
      const outsider = await addPerson(api.db, { company: globex, roles: [['CORPORATE_ADMIN', acme]] });
      dataOf(await list({ companyId: acme.id }, outsider.email));
      assertRefused(await list({ companyId: globex.id }, outsider.email), 403, 'COMPANY_FORBIDDEN');
    });

    it(`${name} returns nothing of another company`, async () => {
      const admin = await addPerson(api.db, {
        roles: [
          ['MANAGER', acme],
          ['MANAGER', globex],
        ],
      });
      const ids = async (companyId: string) => {
        const items = dataOf<{ id: string }[]>(await list({ companyId, limit: '100' }, admin.email));
        return items.map(({ id }) => id);
      };
      const [ofAcme, ofGlobex] = [await ids(acme.id), await ids(globex.id)];
      assert.ok(ofAcme.length > 0 && ofGlobex.length > 0);
      assert.equal(new Set([...ofAcme, ...ofGlobex]).size, ofAcme.length + ofGlobex.length);
    });

    it(`${name} returns 400 for a missing or empty companyId`, async () => {
      for (const query of [{}, { companyId: '' }, { companyid: acme.id }, { company_id: acme.id }]) {
        const { errors, message } = assertInvalid(await list(query as Record<string, string>), 'companyId');
        assert.equal(errors?.[0]?.code, 'REQUIRED');
        assert.match(message, /companyId is required/);
      }
    });

    it(`${name} returns 400 for a companyId that is not a UUID in canonical form`, async () => {
      const bare = acme.id.replaceAll('-', '');
      for (const companyId of [
        `{${acme.id}}`,
        `urn:uuid:${acme.id}`,
        bare,
        `{${bare}}`,
        ` ${acme.id}`,
        `${acme.id} `,
        `${acme.id}\n`,
        `${acme.id}\0`,
        acme.id.slice(1),
        `${acme.id}0`,
        acme.id.replace('-', ''),
        acme.id.replace(/^./, 'g'),
        acme.id.replaceAll('-', '_'),
        `${bare.slice(0, 4)}-${bare.slice(4)}`,
        '1',
        'null',
        'Acme',
        `${acme.id}' or '1'='1`,
        '*',
        acme.id.replace(/^./, '１'),
      ]) {
        const { errors } = assertInvalid(await list({ companyId }), 'companyId');
        assert.equal(errors?.[0]?.code, 'INVALID_FORMAT', companyId);
      }
    });

    it(`${name} accepts companyId in either case of letters`, async () => {
      const lower = await list({ companyId: acme.id });
      const upper = await list({ companyId: acme.id.toUpperCase() });
      dataOf(lower);
      assert.equal(upper.body, lower.body);
    });

    it(`${name} returns 400 for a repeated companyId, also with the same value`, async () => {
      for (const companyId of [
        [acme.id, acme.id],
        [acme.id, globex.id],
        ['', acme.id],
      ]) {
        const { errors } = assertInvalid(await list({ companyId }), 'companyId');
        assert.equal(errors?.[0]?.code, 'DUPLICATE');
      }
    });

    it(`${name} ignores companyId in headers and the body`, async () => {
      const [headers, payload] = [{ 'x-company-id': acme.id }, { companyId: acme.id }];
      assertInvalid(await api.send({ url, as: manager.email, headers, payload }), 'companyId');
    });
  });
}
