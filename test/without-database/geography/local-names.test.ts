import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertInvalid, pageOf } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { byGet, type GeographyPath } from '../../support/geography-lists.ts';

let bare: BareApp;
before(async () => {
  bare = await buildBareApp({ places: 'world' });
});
after(() => bare[Symbol.asyncDispose]());

const MUNICH = { search: 'münchen', alternateNames: true, countryCode: 'DE', isPaginationNeeded: true, limit: 1 };

async function answer(path: GeographyPath, parameters: object, headers: Record<string, string> = {}) {
  const request = byGet(path, { include: 'localName', ...parameters });
  return bare.app.inject({ ...request, headers });
}

async function localName(path: GeographyPath, parameters: object, headers: Record<string, string> = {}) {
  const response = await answer(path, parameters, headers);
  return pageOf<{ localName?: string | null }>(response).items[0]?.localName;
}

describe('names in a language', () => {
  it('a list with include=localName and lang returns names of countries, states and cities in that language', async () => {
    const names: (string | null | undefined)[] = [];
    for (const lang of ['de', 'en', 'ja', 'hi', 'de-AT', 'IT']) {
      names.push(
        await localName('/api/countries/list', { search: 'germany', lang }),
        await localName('/api/states/list', { search: 'bavaria', lang }),
        await localName('/api/cities/list', { ...MUNICH, lang }),
      );
    }
    assert.deepEqual(names, [
      ...['Deutschland', 'Bayern', 'München', 'Germany', 'Bavaria', 'Munich'],
      ...['ドイツ', 'バイエルン自由州', 'ミュンヘン', 'जर्मनी', 'बायर्न', 'म्यूनिख'],
      ...['Deutschland', 'Bayern', 'München', 'Germania', 'Baviera', 'Monaco di Baviera'],
    ]);
  });

  it('a list without lang returns the names in the first known language of Accept-Language, English without one', async () => {
    const named = (language: string) =>
      localName('/api/countries/list', { search: 'germany' }, { 'accept-language': language });
    assert.equal(await named('xx, fr;q=0.5, es;q=0.9, it;q=0'), 'Alemania');
    assert.equal(await named('sv'), 'Tyskland');
    for (const language of ['', '*', 'x', 'de;q=0', ';;;,,', 'nonsense-nonsense-nonsense']) {
      assert.equal(await named(language), 'Germany', language);
    }
    assert.equal(await localName('/api/cities/list', MUNICH, { 'accept-language': 'sv,fr-CA;q=0.8' }), 'Munich');
  });

  it('a list returns null for a place whose name in the language is not known', async () => {
    assert.equal(await localName('/api/cities/list', { ...MUNICH, lang: 'sv' }), null);
    assert.equal(await localName('/api/countries/list', { search: 'germany', lang: 'qaa' }), null);
  });

  it('each language has an ETag of its own, and a list without names no Vary by language', async () => {
    const german = await answer('/api/countries/list', {}, { 'accept-language': 'de' });
    const tag = String(german.headers.etag);
    assert.equal(german.headers.vary, 'Accept-Encoding, Accept-Language');
    const again = (language: string) =>
      answer('/api/countries/list', {}, { 'accept-language': language, 'if-none-match': tag });
    assert.deepEqual([(await again('de')).statusCode, (await again('fr')).statusCode], [304, 200]);
    const plain = await answer('/api/countries/list', { include: 'flag', lang: 'de' });
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    assert.equal(
      pageOf<object>(plain).items.some((item) => 'localName' in item),
      false,
    );
  });

  it('a list with a lang that is no language returns 400', async () => {
    for (const lang of ['d', 'de_AT', 'german language', '12']) {
      assertInvalid(await answer('/api/countries/list', { lang }), 'lang');
    }
  });
});
