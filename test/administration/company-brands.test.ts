import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CompanyDetail } from '../../src/features/companies/companies-schemas.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { addPerson } from '../support/people.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, superAdmin, admin, foreignAdmin, get, post, changesOf } = administration;
after(() => administration[Symbol.asyncDispose]());

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
const svg = (content: string) => `data:image/svg+xml;base64,${Buffer.from(content).toString('base64')}`;
const BRAND = {
  brandName: 'Acme Trips',
  brandLogo: svg(SVG),
  brandColor: '#7a1f4e',
  brandSupport: 'help@acme.example',
  brandTerms: 'https://acme.example/terms',
  brandText: 'Ask the travel desk first.',
  brandLinks: 'Privacy=https://acme.example/privacy',
};
const NONE = Object.fromEntries(Object.keys(BRAND).map((name) => [name, null]));
const update = (fields: object, as = admin) => post(as, 'companies/update', { id: home.id, ...fields });
const seen = async (include?: string) =>
  dataOf<CompanyDetail>(await get(admin, 'companies/get', { id: home.id, ...(include && { include }) }));
const profileOf = async (email: string, query = '') =>
  dataOf<{ company: Record<string, unknown> }>(await api.send({ url: `/api/users/profile${query}`, as: email }));

describe('the name and looks of the product for the people of a company', () => {
  it('companies/update sets the brand of a company for its administrators, and users/profile returns it by include=company alone', async () => {
    const person = await addPerson(api.db, { company: home });
    const before = await profileOf(person.email);
    assert.deepEqual((await profileOf(person.email, '?include=company')).company.brand, {});
    const answer = dataOf<object>(await update(BRAND));
    assert.ok(!('brandName' in answer));
    assert.deepEqual((await profileOf(person.email, '?include=company')).company.brand, {
      name: 'Acme Trips',
      logo: BRAND.brandLogo,
      color: '#7a1f4e',
      support: 'help@acme.example',
      terms: 'https://acme.example/terms',
      text: 'Ask the travel desk first.',
      links: [{ name: 'Privacy', url: 'https://acme.example/privacy' }],
    });
    assert.deepEqual(await profileOf(person.email), before);
    const foreign = await profileOf(foreignAdmin.email, '?include=company');
    assert.deepEqual(foreign.company.brand, {});
  });

  it('companies/get and list return the brand by include=brand alone, and the history names what changed', async () => {
    await update({ ...NONE, brandName: 'Acme Trips' });
    assert.ok(!('brandName' in (await seen())));
    const { brandName, brandLogo } = (await seen('brand')) as unknown as typeof BRAND;
    assert.deepEqual([brandName, brandLogo], ['Acme Trips', null]);
    const list = async (include: string) =>
      pageOf<{ id: string }>(await get(superAdmin, 'companies/list', { include, limit: '100' })).items;
    const [mine] = (await list('brand')).filter(({ id }) => id === home.id);
    assert.deepEqual({ ...mine, ...NONE, brandName: 'Acme Trips' }, mine);
    assert.ok((await list('currency')).every((company) => !('brandName' in company)));
    const [change] = await changesOf(() => update({ brandName: null }));
    assert.deepEqual(change?.changes, [{ field: 'brandName', before: 'Acme Trips', after: null, kept: true }]);
  });

  it('companies/update returns 400 for an unreadable colour, an image that could run or load something, and another address than https', async () => {
    const png = (bytes: string) => `data:image/png;base64,${Buffer.from(bytes, 'latin1').toString('base64')}`;
    for (const brandLogo of [
      'https://cdn.example/logo.png',
      'javascript:alert(1)',
      svg(SVG.replace('</svg>', '<script>alert(1)</script></svg>')),
      svg(SVG.replace('d=', 'onload="alert(1)" d=')),
      svg(SVG.replace('</svg>', '<image href="https://elsewhere.example/a.png"/></svg>')),
      png('GIF89a'),
      'data:image/png;base64,iVBORw0KGgo',
      'data:text/html;base64,PHN2Zz4=',
    ])
      assertInvalid(await update({ brandLogo }), 'brandLogo');
    const large = png(`\x89PNG\r\n\x1a\n${'x'.repeat(24_600)}`);
    assertInvalid(await update({ brandLogo: large }), 'brandLogo');
    assertInvalid(await update({ brandColor: '#777777' }), 'brandColor');
    const wrong = { brandTerms: 'http://acme.example', brandSupport: 'somewhere', brandLinks: 'https://acme.example' };
    assertInvalid(await update(wrong), 'brandSupport', 'brandTerms', 'brandLinks');
    dataOf(await update({ brandLogo: png('\x89PNG\r\n\x1a\nIHDR') }));
    assertRefused(await update({ brandName: 'Mine' }, foreignAdmin), 404, 'NOT_FOUND');
  });
});
