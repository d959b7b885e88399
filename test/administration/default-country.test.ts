import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { directoryFor, newUser, openDirectory } from '../scim/directory.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';

const api = await buildTestApp({ DEFAULT_COUNTRY: 'DE' });
after(() => api[Symbol.asyncDispose]());

const TYPED = '0151/1234567';
const company = (await openDirectory(api, 'Without a country')).company;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
const storedPhone = async (email: string) => {
  const [found] = await api.db.query<{ phone: string }>(sql`select phone from users where email = ${email}`);
  return found?.phone;
};

describe('DEFAULT_COUNTRY', () => {
  it('update-profile stores a national number of DEFAULT_COUNTRY in E.164 if the company has no country', async () => {
    dataOf(await updateProfile(api, 'POST', admin.email, { phone: TYPED }));
    assert.equal(await storedPhone(admin.email), '+491511234567');
  });

  it('users/import stores a national number of DEFAULT_COUNTRY in E.164 if the company has no country', async () => {
    const email = `${randomUUID()}@imported.example`;
    const request = { method: 'POST', url: '/api/users/import', query: { companyId: company.id } } as const;
    const payload = `email,firstName,lastName,phone\n${email},Ana,Lee,${TYPED}\n`;
    dataOf(await api.send({ ...request, as: admin.email, headers: { 'content-type': 'text/csv' }, payload }));
    assert.equal(await storedPhone(email), '+491511234567');
  });

  it("SCIM's POST stores a national number of DEFAULT_COUNTRY in E.164 if the company has no country", async () => {
    const directory = await directoryFor(api, company);
    const sent = newUser({ phoneNumbers: [{ type: 'work', value: TYPED }] });
    const { status, body } = await directory.send('POST', '/Users', sent);
    assert.deepEqual([status, body.phoneNumbers?.[0].value], [201, '+491511234567']);
  });

  it('update-profile reads a national number by the country of the company before DEFAULT_COUNTRY', async () => {
    await api.db.query(sql`update companies set country = 'US' where id = ${company.id}`);
    dataOf(await updateProfile(api, 'POST', admin.email, { phone: '(201) 555-0123' }));
    assert.equal(await storedPhone(admin.email), '+12015550123');
    assertInvalid(await updateProfile(api, 'POST', admin.email, { phone: TYPED }), 'phone');
  });
});
