import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  alwaysAt,
  ForbiddenAddressError,
  isPublicAddress,
  permittedAddresses,
  UnknownHostError,
} from '../../../src/features/webhooks/public-addresses.ts';

/** Spellings of hosts that are none of the public internet. */
const FORBIDDEN = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
  ],
  ...['0.0.0.0', '0', '10.0.0.1', '10.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.257', '0xc0a80001'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '169.254.0.1', '100.64.0.1', '100.100.100.200', '168.63.129.16'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...[
    '240.0.0.1',
    '255.255.255.255',
    'localhost',
    'LOCALHOST',
    'localhost.',
    '１２７.0.0.1',
    '127。0。0。1',
    '①27.0.0.1',
  ],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]'],
  ...['[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::a00:1]'],
  ...['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[fe80::1]'],
  ...['[fe80::a9fe:a9fe]', '[fc00::1]', '[fd00:ec2::254]', '[fdff::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]'],
  ...['[2001:db8::1]', '[100::1]', '[2001:10::1]', '[2001:20::1]', '[5f00::1]'],
];

describe('webhooks go to public addresses alone', () => {
  assert.ok(FORBIDDEN.length >= 60);
  for (const spelling of FORBIDDEN) {
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

  it('and to the very address that was looked at', () => {
    const addresses = [{ address: '8.8.8.8', family: 4 }];
    const connect = alwaysAt(addresses);
    connect('changes-its-mind.example', { all: true }, (error, found) =>
      assert.deepEqual([error, found], [null, addresses]),
    );
    connect('changes-its-mind.example', {}, (error, found, family) =>
      assert.deepEqual([error, found, family], [null, '8.8.8.8', 4]),
    );
  });
});
