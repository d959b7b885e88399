import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { parseAddressRanges } from '../../lib/address-ranges.ts';
import { clientAddress, isLoopback, networkOf, trustedProxies } from './client-address.ts';

/** The address of the caller of a request that came from there, with this `X-Forwarded-For`. */
async function addressOf(remoteAddress: string, forwarded: string | undefined, ...proxies: string[]): Promise<string> {
  const app = Fastify({ trustProxy: trustedProxies(proxies) });
  app.get('/', async (request) => clientAddress(request));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await app.inject({ url: '/', remoteAddress, headers })).body;
}

test('without a trusted proxy the address is that of the connection, whatever the caller says', async () => {
  assert.equal(await addressOf('192.0.2.1', '198.51.100.7'), '192.0.2.1');
  assert.equal(await addressOf('::ffff:192.0.2.1', undefined), '192.0.2.1');
  assert.equal(await addressOf('192.0.2.1', '198.51.100.7', '10.0.0.0/8'), '192.0.2.1');
});

test('behind trusted proxies it is the last address that is none of them', async () => {
  assert.equal(await addressOf('10.0.0.1', '198.51.100.7', '10.0.0.0/8'), '198.51.100.7');
  assert.equal(await addressOf('10.0.0.1', '1.1.1.1, 198.51.100.7, 10.2.3.4', '10.0.0.0/8'), '198.51.100.7');
  assert.equal(await addressOf('::1', '2001:db8::5', '::1'), '2001:db8::5');
  assert.equal(await addressOf('10.0.0.1', undefined, '10.0.0.0/8'), '10.0.0.1');
  assert.equal(await addressOf('203.0.113.9', '198.51.100.7', '0.0.0.0/0'), '198.51.100.7');
});

test('an IPv4 address is the same where it is written as IPv6', async () => {
  assert.equal(await addressOf('::ffff:10.0.0.1', '198.51.100.7', '10.0.0.0/8'), '198.51.100.7');
  assert.equal(await addressOf('10.0.0.1', '198.51.100.7, ::ffff:10.2.3.4', '10.0.0.0/8'), '198.51.100.7');
  assert.equal(await addressOf('10.0.0.1', '::ffff:198.51.100.7', '10.0.0.0/8'), '198.51.100.7');
});

test('what is no address ends the search', async () => {
  assert.equal(await addressOf('10.0.0.1', '198.51.100.7, unknown', '10.0.0.0/8'), '10.0.0.1');
  assert.equal(await addressOf('10.0.0.1', '', '10.0.0.0/8'), '10.0.0.1');
  assert.equal(await addressOf('10.0.0.1', '198.51.100.7, unknown, 10.2.3.4', '10.0.0.0/8'), '10.2.3.4');
});

test('an IPv6 caller counts by its network, an IPv4 caller by itself', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::9'));
  assert.notEqual(networkOf('2001:db8:1:2::9'), networkOf('2001:db8:1:3::9'));
  assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0::/64');
  assert.equal(networkOf('::9'), '0:0:0:0::/64');
  assert.equal(networkOf('2001:db8:1:2::'), '2001:db8:1:2::/64');
});

test('loopback is this machine', () => {
  assert.deepEqual(['127.0.0.1', '127.9.9.9', '::1', '128.0.0.1', '::2', ''].map(isLoopback), [
    ...[true, true, true],
    ...[false, false, false],
  ]);
});

test('a list of addresses and ranges is read whole or not at all', () => {
  for (const good of ['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1', '0.0.0.0/0']) assert.ok(parseAddressRanges([good]));
  for (const bad of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0/8', '::1/129', '10.0.0.0/-1']) {
    assert.equal(parseAddressRanges(['10.0.0.0/8', bad]), undefined, bad);
  }
});
