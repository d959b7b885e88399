import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { newUser, openDirectory, type TestDirectory } from './directory.ts';

/** Where resources are said to be. The directory is of a service without a proxy. */
export function testLocations(directory: TestDirectory): void {
  describe('the address of a resource', () => {
    const locationOf = async (directoryOf: TestDirectory, headers: Record<string, string>) =>
      (await directoryOf.send('GET', '/ServiceProviderConfig', undefined, headers)).body.meta.location;
    const forwarded = {
      'x-forwarded-host': 'outer.example, inner.example:8080',
      'x-forwarded-proto': 'https, http',
      'x-forwarded-prefix': '/people/, /orgdesk',
    };

    it('the location of a SCIM resource has the host, scheme and prefixes that a trusted proxy sends', async () => {
      const proxied = await buildTestApp({ TRUST_PROXY: '127.0.0.1' });
      after(() => proxied[Symbol.asyncDispose]());
      const behind = await openDirectory(proxied, 'Behind');
      for (const [headers, base] of [
        [forwarded, 'https://outer.example/people/orgdesk'],
        [{ 'x-forwarded-prefix': '/a' }, 'http://localhost:80/a'],
        [{ 'x-forwarded-prefix': '/' }, 'http://localhost:80'],
        [{ 'x-forwarded-prefix': '//evil.example' }, 'http://localhost:80'],
        [{ 'x-forwarded-prefix': 'https://evil.example' }, 'http://localhost:80'],
        [{ 'x-forwarded-host': 'a"b, good.example', 'x-forwarded-proto': 'javascript' }, 'http://good.example'],
      ] as const) {
        assert.equal(await locationOf(behind, headers), `${base}/scim/v2/ServiceProviderConfig`);
      }
      const { body } = await behind.send('POST', '/Users', newUser(), forwarded);
      assert.equal(body.meta.location, `https://outer.example/people/orgdesk/scim/v2/Users/${body.id}`);
      const groups = (await behind.send('GET', '/Groups', undefined, forwarded)).body.Resources;
      const { members } = groups.find(({ displayName }: { displayName: string }) => displayName === 'Employees');
      assert.equal(members[0].$ref, body.meta.location);
    });

    it('the location of a SCIM resource ignores the headers of an untrusted client', async () => {
      assert.equal(await locationOf(directory, forwarded), 'http://localhost:80/scim/v2/ServiceProviderConfig');
    });
  });
}
