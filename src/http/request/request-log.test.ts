import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { serverOptions } from '../server-options.ts';
import { createLog, logRequests } from './request-log.ts';

test('the log line of a request equals the one that pino writes for the same fields', async (t) => {
  let lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const app = Fastify(serverOptions(log));
  t.after(() => app.close());
  logRequests(app, () => ({}));
  app.get('/*', (_request, reply) => reply.send());
  await app.ready();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const headers of [{}, { traceparent }]) {
    lines = [];
    await app.inject({ url: '/a"b\\\u0007\u00e9?secret', headers });
    const [written = ''] = lines;
    const { level: _level, time, pid: _pid, hostname: _host, msg, ...fields } = JSON.parse(written);
    log.info(fields, msg);
    assert.equal(written, lines[1]?.replace(/"time":\d+/, `"time":${time}`));
    assert.equal('traceId' in fields, 'traceparent' in headers);
    assert.equal(fields.status, 200);
  }
});
