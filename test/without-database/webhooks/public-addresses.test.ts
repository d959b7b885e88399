import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkedLookup,
  ForbiddenHostError,
  type HostRules,
  isPublicAddress,
  permittedAddresses,
} from '../../../src/lib/public-addresses.ts';
import { hostResolver } from '../../../src/lib/resolve-host.ts';
import { FORBIDDEN_HOSTS } from '../../support/forbidden-hosts.ts';

const KNOWN: Readonly<Record<string, string[]>> = {
  'public.example': ['8.8.8.8', '2606:4700:4700::1111'],
  'both.example': ['8.8.8.8', '10.0.0.1'],
  'private.example': ['10.0.0.1'],
};
const rules = (permitsPrivate: boolean): HostRules => ({
  permitsPrivate,
  resolveHost: async (name) =>
    (KNOWN[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

describe('webhooks go to public addresses alone', () => {
  assert.ok(FORBIDDEN_HOSTS.length >= 60);
  for (const spelling of FORBIDDEN_HOSTS) {
    it(`a webhook to ${spelling} is refused`, async () => {
      const { hostname } = new URL(`https://${spelling}/`);
      const forbidden = permittedAddresses(hostname, { permitsPrivate: false, resolveHost: hostResolver() });
      await assert.rejects(forbidden, ForbiddenHostError);
    });
  }

  it('a webhook to a public address is permitted, in either address family', async () => {
    for (const host of ['8.8.8.8', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]', '134744072']) {
      const { hostname } = new URL(`https://${host}/`);
      assert.equal((await permittedAddresses(hostname, rules(false))).length, 1, host);
    }
    assert.equal((await permittedAddresses('public.example', rules(false))).length, 2);
    assert.ok(!isPublicAddress('no address'));
  });

  it('a webhook to a name without an address gets the same refusal as one to a private address', async () => {
    const reported = ['private.example', 'both.example', 'none.example'].map(async (name) => {
      const error = await permittedAddresses(name, rules(false)).catch((caught: unknown) => caught);
      assert.ok(error instanceof ForbiddenHostError);
      return error.message.replace(name, 'NAME');
    });
    assert.deepEqual(new Set(await Promise.all(reported)), new Set(['NAME has no public address.']));
  });

  it('a webhook to any address is permitted with WEBHOOK_PRIVATE_TARGETS', async () => {
    assert.deepEqual(await permittedAddresses('127.0.0.1', rules(true)), [{ address: '127.0.0.1', family: 4 }]);
    assert.equal((await permittedAddresses('both.example', rules(true))).length, 2);
    await assert.rejects(
      permittedAddresses('none.example', rules(true)),
      /^ForbiddenHostError: none.example has no address/,
    );
  });

  it('a webhook connects only to the address that was checked', async () => {
    const find = (host: string, permitsPrivate: boolean, all: boolean) =>
      new Promise((resolve) => {
        checkedLookup(rules(permitsPrivate))(host, { all }, (error, found, family) =>
          resolve(error ?? [found, family]),
        );
      });
    assert.deepEqual(await find('8.8.8.8', false, true), [[{ address: '8.8.8.8', family: 4 }], undefined]);
    assert.deepEqual(await find('8.8.8.8', false, false), ['8.8.8.8', 4]);
    assert.ok((await find('private.example', false, true)) instanceof ForbiddenHostError);
    assert.ok((await find('none.example', true, false)) instanceof ForbiddenHostError);
  });
});
