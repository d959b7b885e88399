import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { openGeography } from '../../../src/features/geography/geography-file.ts';

it('the index with places of GEOGRAPHY_EXTRA is kept in the data folder until the file changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-geography-'));
  after(() => rmSync(folder, { recursive: true }));
  const [dataDir, geographyExtra] = [join(folder, 'data'), join(folder, 'extra.csv')];
  const setPopulation = (population: number) => writeFileSync(geographyExtra, `id,population\n133024,${population}\n`);
  setPopulation(42);
  const first = await openGeography({ geographyExtra, dataDir });
  const [kept] = readdirSync(join(dataDir, 'geography'));
  const again = await openGeography({ geographyExtra, dataDir });
  assert.equal(again.index.version, first.index.version);
  assert.deepEqual(readdirSync(join(dataDir, 'geography')), [kept]);
  const query = { search: 'mumbai', countryId: 101, include: ['population', 'alternateNames'] } as const;
  const page = ({ index }: typeof first) => index.cities.find(query).page({ page: 1, limit: 10 }).toString();
  assert.equal(page(again), page(first));
  assert.match(page(again), /"population":42/);
  setPopulation(43);
  const changed = await openGeography({ geographyExtra, dataDir });
  assert.notEqual(changed.index.version, first.index.version);
  assert.match(page(changed), /"population":43/);
  assert.equal(readdirSync(join(dataDir, 'geography')).length, 1);
});
