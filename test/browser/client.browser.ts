import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { it } from 'node:test';
import { openConsole } from './console.ts';

const { address, tokenOf, open } = await openConsole();
type Client = typeof import('../../src/client/client.ts');

it('the client in a blank page reads lists, writes a profile, and gets 412 for an old version', () =>
  open('/livez', undefined, async (page) => {
    await page.route(`${address}/blank`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Blank</title>' }),
    );
    await page.route(`${address}/client/*.js`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: readFileSync(`dist/client/${basename(new URL(route.request().url()).pathname)}`),
      }),
    );
    await page.goto(`${address}/blank`);
    const token = tokenOf('admin@globex.example');
    const seen = await page.evaluate(
      async ({ file, token }) => {
        const { ApiError, createClient } = (await import(file)) as Client;
        const orgdesk = createClient({ baseUrl: location.origin, token });
        const pages: number[] = [];
        for await (const { data } of orgdesk.pages('/api/countries/list')) pages.push(data.length);

        const { data: profile, etag } = await orgdesk.get('/api/users/profile');
        const { addressLine2 } = profile;
        const change = { gender: 'Of a page', addressLine2 };
        const written = await orgdesk.post('/api/users/update-profile', change, { ifMatch: etag });
        const stale = orgdesk.post('/api/users/update-profile', { gender: 'Stale' }, { ifMatch: etag });
        const refused = await stale.catch((error: unknown) => (error instanceof ApiError ? error.code : String(error)));
        const back = { gender: profile.gender ?? '', addressLine2 };
        const restored = await orgdesk.post('/api/users/update-profile', back, { ifMatch: written.etag });
        return { pages, refused, genders: [profile, written.data, restored.data].map(({ gender }) => gender) };
      },
      { file: `${address}/client/client.js`, token },
    );
    assert.deepEqual(seen.pages, [100, 100, 50]);
    assert.equal(seen.refused, 'PRECONDITION_FAILED');
    const [gender] = seen.genders;
    assert.deepEqual(seen.genders, [gender, 'Of a page', gender]);
  }));
