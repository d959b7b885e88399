import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { openCompressedLists } from '../../../src/features/geography/compressed-lists.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { fewPlaces } from '../../support/geographies.ts';
import { byGet, byPost, GEOGRAPHY_PATHS, type Parameters } from '../../support/geography-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-lists-'));
const bare = await buildBareApp({ compressedLists: openCompressedLists(folder) });
after(async () => {
  await bare[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function bodyOf({ headers, rawPayload }: LightMyRequestResponse): string {
  const coding = headers['content-encoding'];
  if (coding === undefined) return rawPayload.toString();
  return (coding === 'br' ? brotliDecompressSync : gunzipSync)(rawPayload).toString();
}

for (const path of GEOGRAPHY_PATHS) {
  for (const by of [byGet, byPost]) {
    describe(`${by === byGet ? 'GET' : 'POST'} ${path}`, () => {
      const ask = async (acceptEncoding: string | undefined, parameters: Parameters = {}) => {
        const { headers, ...request } = by(path, parameters);
        const accept = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
        return bare.app.inject({ ...request, headers: { ...headers, ...accept } });
      };

      for (const [accepted, coding] of [
        ['gzip', 'gzip'],
        ['br', 'br'],
        ['gzip, deflate, br', 'br'],
        ['gzip;q=1.0, br;q=0', 'gzip'],
        ['deflate, gzip;q=0.5', 'gzip'],
        [undefined, undefined],
        ['identity', undefined],
        ['deflate', undefined],
        ['gzip;q=0, br;q=0.0', undefined],
        ['brotli, gzippy', undefined],
      ] as const) {
        it(`${path} is sent ${coding ? `in ${coding}` : 'uncompressed'} for Accept-Encoding: ${accepted}`, async () => {
          const [plain, response] = [await ask(undefined), await ask(accepted)];
          assert.equal(response.statusCode, 200);
          assert.equal(response.headers['content-encoding'], coding);
          assert.equal(response.headers.vary, 'Accept-Encoding');
          assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
          assert.equal(response.headers.etag, plain.headers.etag);
          assert.equal(bodyOf(response), plain.body);
        });
      }

      it(`${path} sends a page and a part of the list uncompressed`, async () => {
        for (const parameters of [{ isPaginationNeeded: true }, { search: 'goa' }]) {
          const response = await ask('gzip, br', parameters);
          assert.equal(response.headers['content-encoding'], undefined);
          assert.equal(response.json().success, true);
        }
      });
    });
  }
}

it('the leftover compressed lists of a killed process are removed once the current lists are ready', async () => {
  const { index } = fewPlaces();
  const own = join(folder, 'of-a-killed-process');
  mkdirSync(own);
  for (const left of [`${index.version}.cities.br.0123abcd.unfinished`, 'of-before.cities.br', 'index.kept'])
    writeFileSync(join(own, left), '');
  await openCompressedLists(own).prepare(index);
  const lists = ['cities', 'countries', 'states'].flatMap((list) =>
    ['br', 'gzip'].map((coding) => `${index.version}.${list}.${coding}`),
  );
  assert.deepEqual(readdirSync(own).toSorted(), [...lists, 'index.kept'].toSorted());
});
