import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkedLookup,
  ForbiddenAddressError,
  isPublicAddress,
  permittedAddresses,
  UnknownHostError,
} from '../../../src/features/webhooks/public-addresses.ts';
import { FORBIDDEN_HOSTS } from '../../support/forbidden-hosts.ts';

describe('webhooks go to public addresses alone', () => {
  assert.ok(FORBIDDEN_HOSTS.length >= 60);
  for (const spelling of FORBIDDEN_HOSTS) {
    it(`not to ${spelling}`, async () => {
      const { hostname } = new URL(`https://${spelling}/`);
      await assert.rejects(permittedAddresses(hostname, false), (error) => {
        assert.ok(error instanceof ForbiddenAddressError || error instanceof UnknownHostError, String(error));
        return true;
      });
    });
  }

  it('but to those of the internet, in either family', async () => {
    for (const host of ['8.8.8.8', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]', '134744072']) {
      const { hostname } = new URL(`https://${host}/`);
      assert.equal((await permittedAddresses(hostname, false)).length, 1, host);
    }
    assert.ok(!isPublicAddress('no address'));
  });

  it('or anywhere where the settings permit it', async () => {
    assert.deepEqual(await permittedAddresses('127.0.0.1', true), [{ address: '127.0.0.1', family: 4 }]);
    assert.ok((await permittedAddresses('localhost', true)).length > 0);
    await assert.rejects(permittedAddresses('no-such-host.invalid', true), UnknownHostError);
  });

  it('and a connection is made to the very address that was looked at, or not at all', async () => {
    const find = (host: string, permitsPrivate: boolean, all: boolean) =>
      new Promise((resolve) => {
        checkedLookup(permitsPrivate)(host, { all }, (error, found, family) => resolve(error ?? [found, family]));
      });
    assert.deepEqual(await find('8.8.8.8', false, true), [[{ address: '8.8.8.8', family: 4 }], undefined]);
    assert.deepEqual(await find('8.8.8.8', false, false), ['8.8.8.8', 4]);
    assert.ok((await find('localhost', false, true)) instanceof ForbiddenAddressError);
    assert.ok((await find('no-such-host.invalid', true, false)) instanceof UnknownHostError);
  });
});
