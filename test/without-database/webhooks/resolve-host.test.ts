import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, mock } from 'node:test';
import { hostResolver } from '../../../src/lib/resolve-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-hosts-'));
after(() => rmSync(folder, { recursive: true }));
const hostsFile = join(folder, 'hosts');
writeFileSync(
  hostsFile,
  '127.0.0.1 localhost\n8.8.8.8\tPinned.example pinned # not.this.example\n# 9.9.9.9 commented.example\n' +
    '2606:4700:4700::1111 pinned.example\nno-address odd.example\n10.1.2.3 localhost',
);

/** A name server on the loopback interface. @param respond gives the answer to a query; undefined: it says nothing */
async function startNameServer(respond: (query: Buffer) => Buffer | undefined) {
  const socket = createSocket('udp4');
  const queries: Buffer[] = [];
  socket.on('message', (query, { port, address }) => {
    queries.push(query);
    const answer = respond(query);
    if (answer) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    queries,
    first: () => once(socket, 'message'),
    [Symbol.dispose]: () => void socket.close(),
  };
}

/** An answer with one address to a query for addresses of IPv4, and one without any to others (RFC 1035, section 4.1). */
function answerWith(...address: readonly number[]): (query: Buffer) => Buffer {
  return (query) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isForIpv4 = question.readUInt16BE(question.length - 4) === 1;
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isForIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
    return Buffer.concat([header, question, ...(isForIpv4 ? [record] : [])]);
  };
}

describe('names of webhook targets', () => {
  it('the host of a webhook is looked up in the hosts file first, in either case and with a trailing dot', async () => {
    using server = await startNameServer(answerWith(9, 9, 9, 9));
    const resolve = hostResolver({ hostsFile, servers: server.servers });
    const pinned = [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ];
    assert.deepEqual(await resolve('pinned.example'), pinned);
    assert.deepEqual(await resolve('PINNED.example.'), pinned);
    assert.deepEqual(await resolve('pinned'), pinned.slice(0, 1));
    assert.equal(server.queries.length, 0);
    for (const name of ['not.this.example', 'commented.example', 'odd.example']) {
      assert.deepEqual(await resolve(name), [{ address: '9.9.9.9', family: 4 }], name);
    }
  });

  it('the webhook host localhost is this machine, whatever the hosts file and the name servers contain', async () => {
    using server = await startNameServer(answerWith(8, 8, 8, 8));
    const resolve = hostResolver({ hostsFile, servers: server.servers });
    for (const name of ['localhost', 'LOCALHOST.', 'some.localhost']) {
      assert.deepEqual(
        (await resolve(name)).map(({ address }) => address),
        ['127.0.0.1', '::1'],
        name,
      );
    }
  });

  it('the look-up of a webhook host returns no address after three seconds if the name server is silent', async () => {
    using server = await startNameServer(() => undefined);
    const resolve = hostResolver({ hostsFile: join(folder, 'none'), servers: server.servers });
    const requested = server.first();
    mock.timers.enable({ apis: ['setTimeout'] });
    const cancel = mock.method(Resolver.prototype, 'cancel');
    try {
      let found: unknown;
      const resolving = resolve('slow.example').then((addresses) => {
        found = addresses;
      });
      await requested;
      mock.timers.tick(2_999);
      await new Promise(setImmediate);
      assert.equal(found, undefined);
      mock.timers.tick(1);
      // The resolver itself gives up in the end.
      assert.equal(cancel.mock.callCount(), 1);
      await resolving;
      assert.deepEqual(found, []);
    } finally {
      cancel.mock.restore();
      mock.timers.reset();
    }
  });

  it('the look-up of a webhook host returns no address if no name server can be reached', async () => {
    assert.deepEqual(await hostResolver({ hostsFile, servers: ['127.0.0.1:1'] })('any.example'), []);
  });
});
