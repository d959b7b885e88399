import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { parseAddressRanges } from '../../lib/address-ranges.ts';
import { addressReader, isLoopback, networkOf } from './client-address.ts';

const CALLER = '198.51.100.7';

/** Returns the client address of a request from a peer with this `X-Forwarded-For`, and the warnings logged. */
async function read(remoteAddress: string, forwarded: string | undefined, proxies: readonly string[]) {
  const warnings: object[] = [];
  const addressOf = addressReader(proxies, { warn: (fields: object) => void warnings.push(fields) });
  const app = Fastify();
  app.get('/', async (request) => addressOf(request.raw));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { address: (await app.inject({ url: '/', remoteAddress, headers })).body, warnings };
}

async function addressOf(remoteAddress: string, forwarded: string | undefined, ...proxies: string[]): Promise<string> {
  const { address, warnings } = await read(remoteAddress, forwarded, proxies);
  assert.deepEqual(warnings, []);
  return address;
}

test('the client address without a trusted proxy is that of the connection, not X-Forwarded-For', async () => {
  assert.equal(await addressOf('192.0.2.1', CALLER), '192.0.2.1');
  assert.equal(await addressOf('192.0.2.1', 'unknown'), '192.0.2.1');
  assert.equal(await addressOf('::ffff:192.0.2.1', undefined), '192.0.2.1');
  assert.equal(await addressOf('192.0.2.1', CALLER, '10.0.0.0/8'), '192.0.2.1');
  assert.equal(await addressOf('192.0.2.1', 'unknown', '10.0.0.0/8'), '192.0.2.1');
});

test('the client address behind trusted proxies is the last address that is not a trusted proxy', async () => {
  assert.equal(await addressOf('10.0.0.1', CALLER, '10.0.0.0/8'), CALLER);
  assert.equal(await addressOf('10.0.0.1', `1.1.1.1, ${CALLER}, 10.2.3.4`, '10.0.0.0/8'), CALLER);
  assert.equal(await addressOf('10.0.0.1', `unknown, ${CALLER}, 10.2.3.4`, '10.0.0.0/8'), CALLER);
  assert.equal(await addressOf('::1', '2001:db8::5', '::1'), '2001:db8::5');
  assert.equal(await addressOf('10.0.0.1', undefined, '10.0.0.0/8'), '10.0.0.1');
  assert.equal(await addressOf('203.0.113.9', CALLER, '0.0.0.0/0'), CALLER);
  assert.equal(await addressOf('10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.0/8'), '10.0.0.2');
});

test('an IPv4 address in the notation of IPv6 counts as the same address', async () => {
  assert.equal(await addressOf('::ffff:10.0.0.1', CALLER, '10.0.0.0/8'), CALLER);
  assert.equal(await addressOf('10.0.0.1', `${CALLER}, ::ffff:10.2.3.4`, '10.0.0.0/8'), CALLER);
  for (const mapped of ['::ffff:198.51.100.7', '::FFFF:198.51.100.7', '::ffff:c633:6407', '[::ffff:c633:6407]:443']) {
    assert.equal(await addressOf('10.0.0.1', mapped, '10.0.0.0/8'), CALLER, mapped);
  }
});

test('X-Forwarded-For may contain ports, brackets, quotes and empty elements', async () => {
  for (const [written, address] of [
    ['198.51.100.7:51234', CALLER],
    ['"198.51.100.7"', CALLER],
    ['"198.51.100.7:8080"', CALLER],
    ['[198.51.100.7]', CALLER],
    ['[2001:db8::5]', '2001:db8::5'],
    ['[2001:db8::5]:443', '2001:db8::5'],
    ['"[2001:db8::5]:443"', '2001:db8::5'],
    ['"[2001:db8::5]"', '2001:db8::5'],
    ['"2001:db8::5"', '2001:db8::5'],
    ['2001:0DB8:0:0:0:0:0:5', '2001:db8::5'],
    ['[fe80::5%eth0]:443', 'fe80::5'],
  ] as const) {
    for (const header of [
      written,
      `1.1.1.1,\t${written} , 10.2.3.4:80`,
      `unknown, , ${written},,`,
      `,${written}, "10.2.3.4"`,
    ]) {
      assert.equal(await addressOf('10.0.0.1', header, '10.0.0.0/8'), address, header);
    }
  }
  for (const empty of ['', ' ', ',', ' , ,'])
    assert.equal(await addressOf('10.0.0.1', empty, '10.0.0.0/8'), '10.0.0.1');
});

test("an invalid element of X-Forwarded-For is logged, and the connection's address is used", async () => {
  for (const entry of [
    'unknown',
    '_hidden',
    'for=198.51.100.7',
    '198.51.100.7:',
    '198.51.100.7:123456',
    '198.51.100',
    '198.51.100.7/32',
    '1.1.1.1 198.51.100.7',
    '[2001:db8::5',
    '2001:db8::5]:443',
    '[2001:db8::g]',
    '"198.51.100.7',
    '[]',
    '""',
    'localhost',
    'x'.repeat(5_000),
  ]) {
    for (const header of [entry, `${CALLER}, ${entry}`, `${CALLER}, ${entry}, 10.2.3.4`]) {
      const { address, warnings } = await read('10.0.0.1', header, ['10.0.0.0/8']);
      assert.equal(address, '10.0.0.1', header);
      assert.deepEqual(warnings, [{ proxy: '10.0.0.1', entry: entry.slice(0, 64) }]);
    }
  }
});

test('an invalid element of X-Forwarded-For is logged once a minute', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let warnings = 0;
  const addressOf = addressReader(['10.0.0.1'], { warn: () => void warnings++ });
  const request = { headers: { 'x-forwarded-for': 'unknown' }, socket: { remoteAddress: '10.0.0.1' } } as never;
  for (const [time, expected] of [
    [0, 1],
    [59_999, 1],
    [60_000, 2],
    [60_001, 2],
  ] as const) {
    now = time;
    for (let times = 0; times < 100; times++) addressOf(request);
    assert.equal(warnings, expected);
  }
});

test('a rate limit counts an IPv6 caller by its network and an IPv4 caller by its address', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::9'));
  assert.notEqual(networkOf('2001:db8:1:2::9'), networkOf('2001:db8:1:3::9'));
  assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0::/64');
  assert.equal(networkOf('::9'), '0:0:0:0::/64');
  assert.equal(networkOf('2001:db8:1:2::'), '2001:db8:1:2::/64');
});

test('isLoopback recognises the loopback addresses of IPv4 and IPv6', () => {
  assert.deepEqual(['127.0.0.1', '127.9.9.9', '::1', '128.0.0.1', '::2', ''].map(isLoopback), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('parseAddressRanges refuses the whole list if one address or range is invalid', () => {
  for (const good of ['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1', '0.0.0.0/0']) assert.ok(parseAddressRanges([good]));
  for (const bad of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0/8', '::1/129', '10.0.0.0/-1']) {
    assert.equal(parseAddressRanges(['10.0.0.0/8', bad]), undefined, bad);
  }
});
