import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertInvalid, pageOf } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { byGet, type CityItem, type GeographyPath, type StateItem } from '../../support/geography-lists.ts';

type Level = StateItem & { type: string | null; parentId: number | null };

let bare: BareApp;
before(async () => {
  bare = await buildBareApp({ places: 'world' });
});
after(() => bare[Symbol.asyncDispose]());

async function list<Item>(path: GeographyPath, parameters: object): Promise<Item[]> {
  return pageOf<Item>(await bare.app.inject(byGet(path, { ...parameters }))).items;
}

describe('states that contain others', () => {
  it('the list of states distinguishes states that contain others by type and parentId', async () => {
    const states = await list<Level>('/api/states/list', { countryCode: 'IE', include: 'type,parentId' });
    const munster = states.find(({ name }) => name === 'Munster');
    const cork = states.find(({ name }) => name === 'Cork');
    assert.deepEqual([munster?.type, munster?.parentId], ['province', null]);
    assert.deepEqual([cork?.type, cork?.parentId], ['county', munster?.id]);
  });

  it('the list of cities with within=true also returns the cities of the states that a state contains', async () => {
    const states = await list<Level>('/api/states/list', { countryCode: 'IE' });
    const idOf = (name: string) => states.find((state) => state.name === name)?.id;
    const find = (parameters: object) => list<CityItem>('/api/cities/list', { search: 'cork', ...parameters });
    const [city] = await find({ stateId: idOf('Cork') });
    assert.equal(city?.name, 'Cork');
    assert.deepEqual(await find({ stateId: idOf('Munster') }), []);
    assert.equal((await find({ stateId: idOf('Munster'), within: true }))[0]?.id, city?.id);
    assert.equal((await find({ stateId: idOf('Cork'), within: true }))[0]?.id, city?.id);
    assert.deepEqual(await find({ stateId: idOf('Ulster'), within: true }), []);
  });

  it('the list of states with hasCities=true omits states without any city', async () => {
    const all = await list<StateItem>('/api/states/list', {});
    const some = await list<StateItem>('/api/states/list', { hasCities: true });
    assert.ok(some.length < all.length && some.length > 4900, String(some.length));
    for (const { id, _count } of some.filter((state) => state._count.cities === 0).slice(0, 50)) {
      assert.deepEqual(_count, { cities: 0 });
      assert.ok((await list('/api/cities/list', { stateId: id, within: true, isPaginationNeeded: true })).length > 0);
    }
    assert.equal((await list('/api/states/list', { hasCities: false })).length, all.length);
  });
});

describe('cities near a position', () => {
  it('the list of cities with near is ordered by distance, also within a country or a search', async () => {
    const near = (parameters: object) => list<CityItem>('/api/cities/list', { near: '48.8566,2.3522', ...parameters });
    const around = await near({});
    assert.equal(around.length, 100);
    assert.ok(around.slice(0, 10).some(({ name }) => name === 'Paris'));
    const [german] = await near({ countryCode: 'DE' });
    assert.equal(german?.country.iso2, 'DE');
    const [first] = await near({ search: 'paris' });
    assert.deepEqual([first?.name, first?.country.iso2], ['Paris', 'FR']);
  });

  for (const near of [
    '48.856600000000001,2.352200000000000067',
    '48.8566, 2.3522',
    ' +48.8566 ,+2.3522',
    '48.8566,2.3522e-0',
  ]) {
    it(`the list of cities finds Paris for near=${near}`, async () => {
      const [first] = await list<CityItem>('/api/cities/list', { near });
      assert.equal(first?.name, 'Paris');
    });
  }

  it('the list of cities takes a negative zero and a tiny number as a position', async () => {
    const at = await list<CityItem>('/api/cities/list', { near: '0,0' });
    for (const near of ['-0,-0.0', '5e-7,-0']) assert.deepEqual(await list('/api/cities/list', { near }), at);
  });

  it('the list of cities has a city before its quarter, and a town beside the city before the city', async () => {
    for (const [near, name] of [
      ['52.52,13.405', 'Berlin'],
      ['48.8478,2.4392', 'Vincennes'],
    ] as const) {
      const [first] = await list<CityItem>('/api/cities/list', { near });
      assert.equal(first?.name, name);
    }
  });

  it('the list of countries returns the date of its data on request', async () => {
    const [country] = await list<{ data?: unknown }>('/api/countries/list', { include: 'data', search: 'India' });
    assert.deepEqual(country?.data, { geoNames: '2023-03-05', countriesStatesCities: '1.0.9' });
  });

  for (const near of ['1', '91,0', '0,181', 'a,b', '1,2,3', '1e1,2']) {
    it(`the list of cities returns 400 for near=${near}`, async () => {
      assertInvalid(await bare.app.inject(byGet('/api/cities/list', { near })), 'near');
    });
  }
});

it('a search for either name of a merged city returns the same city', async () => {
  const [warsaw] = await list<CityItem>('/api/cities/list', { search: 'Warsaw', countryCode: 'PL' });
  const other = { search: 'Warszawa', countryCode: 'PL' };
  const [named] = await list<CityItem>('/api/cities/list', { ...other, alternateNames: true });
  assert.deepEqual(named, { ...warsaw, match: 'alternateName' });
  assert.deepEqual(await list<CityItem>('/api/cities/list', other), []);
});
