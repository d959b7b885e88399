import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import Fastify from 'fastify';
import { createOrgdesk } from '../../src/orgdesk.ts';

const CITIES = '/api/cities/list?search=bogota&limit=1&isPaginationNeeded=true';

it('another server answers with orgdesk as its handler and as a plugin of Fastify, and goes on after its stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-mounted-'));
  const orgdesk = await createOrgdesk({
    DATA_DIR: folder,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'silent',
    BASE_PATH: '/org',
  });
  const plain = createServer((request, response) =>
    request.url?.startsWith('/org/') ? orgdesk.handler(request, response) : response.end('own'),
  );
  const fastify = Fastify();
  fastify.get('/', async () => 'own');
  await fastify.register(orgdesk.plugin, { prefix: '/org' });
  try {
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const addresses = [
      `http://127.0.0.1:${(plain.address() as AddressInfo).port}`,
      await fastify.listen({ host: '127.0.0.1', port: 0 }),
    ];
    for (const address of addresses) {
      assert.equal(await (await fetch(`${address}/`)).text(), 'own');
      const read = await fetch(`${address}/org${CITIES}`);
      const { data } = (await read.json()) as { data: { name: string }[] };
      assert.deepEqual([read.status, data.length], [200, 1]);
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ search: 'bogota', limit: 1, isPaginationNeeded: true });
      const sent = await fetch(`${address}/org/api/cities/list`, { method: 'POST', headers, body });
      assert.deepEqual(((await sent.json()) as { data: unknown }).data, data);
      assert.equal((await fetch(`${address}/org/api/users/profile`)).status, 401);
      assert.equal((await fetch(`${address}/org/readyz`)).status, 200);
    }
    await orgdesk.stop();
    for (const address of addresses) assert.equal(await (await fetch(`${address}/`)).text(), 'own');
  } finally {
    plain.close();
    await fastify.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
