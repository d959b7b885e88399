import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readGeographyFile, readGeographyParts } from '../../src/features/geography/geography-file.ts';
import { openGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { kilometres } from './distance.ts';
import { readGeoNames } from './geonames.ts';

interface Hit {
  id: number;
  country: { iso2: string };
}

it('every GeoNames city above 100,000 people is found by its name within 40 km in its country', async () => {
  const source = await readGeographyFile();
  const index = openGeographyIndex(await readGeographyParts());
  const cities = new Map(source.cities.map((city) => [city.id, city]));
  const places = readGeoNames().filter(({ population, featureCode }) => population > 100_000 && featureCode !== 'PPLX');
  assert.ok(places.length > 4700);
  const missed = places.filter((place) => {
    const found = index.cities.find({ search: place.name, alternateNames: true }).page({ page: 1, limit: 1000 });
    const hits: Hit[] = JSON.parse(found.toString()).data;
    return !hits.some(({ id, country }) => {
      const city = cities.get(id);
      return city !== undefined && country.iso2 === place.countryCode && kilometres(city, place) <= 40;
    });
  });
  assert.deepEqual(
    missed.map(({ name, countryCode }) => `${name}, ${countryCode}`),
    [],
  );
});
