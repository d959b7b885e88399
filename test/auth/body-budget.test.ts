import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { listenLocally } from '../support/bare-app.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson, type TestCompany } from '../support/people.ts';
import { assertErrorForm, exchange, type RawAnswer, requestText } from '../support/raw-http.ts';

// The share of a company is 250,000 bytes: one body of 160,000.
const api = await buildTestApp({ BODY_MEMORY: '1' });
after(() => api[Symbol.asyncDispose]());
const port = await listenLocally(api.app);
const SIZE = 160_000;

async function adminOf(company: TestCompany): Promise<string> {
  const { id } = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  return api.context.signToken(id, 600);
}
const [acme, other] = [await addCompany(api.db, 'Budget Acme', {}), await addCompany(api.db, 'Budget Other', {})];
const [admin, colleague, stranger] = [await adminOf(acme), await adminOf(acme), await adminOf(other)];

/** A request of the size that is accepted by an operation and refused as input, so that nothing changes. */
const request = (token: string, size = SIZE): string =>
  requestText('POST /api/users/save', [`Authorization: Bearer ${token}`, 'Content-Type: application/json'], fill(size));
const fill = (size: number): string => `{"x":"${'x'.repeat(size - 8)}"}`;
const send = (token: string, size?: number): Promise<RawAnswer> => exchange(port, request(token, size));

/** Sends a part of a request, and waits until the service reads its body. */
async function begin(text: string): Promise<Socket> {
  const isRead = new Promise<void>((resolve) => {
    api.app.server.once('request', (incoming) => incoming.once('resume', resolve));
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  await isRead;
  return socket;
}

/** Holds the last byte of a body back. */
async function hold(token: string): Promise<{ socket: Socket; finish: () => void }> {
  const text = request(token);
  const socket = await begin(text.slice(0, -1));
  return { socket, finish: () => socket.write(text.slice(-1)) };
}

describe('the memory for bodies', () => {
  it('a large body gets 503 if its company exceeds its share of memory, and other requests are answered', async () => {
    const held = await hold(admin);
    const waiting = send(colleague);
    assert.equal((await exchange(port, requestText('GET /livez'))).status, 200);
    assertErrorForm(await send(stranger), 400, 'INVALID_INPUT');
    assertErrorForm(await send(admin, 10_000), 400, 'INVALID_INPUT');
    const refused = await waiting;
    assertErrorForm(refused, 503, 'OVERLOADED');
    assert.equal(refused.headers['retry-after'], '2');
    held.finish();
  });

  it('a waiting body is read as soon as the response before it is finished', async () => {
    const held = await hold(admin);
    const waiting = send(colleague);
    await send(stranger);
    held.finish();
    assertErrorForm(await waiting, 400, 'INVALID_INPUT');
  });

  it('memory for a body is free again when the client disconnects', async () => {
    const held = await hold(admin);
    const waiting = send(colleague);
    await send(stranger);
    held.socket.destroy();
    assertErrorForm(await waiting, 400, 'INVALID_INPUT');
  });

  it('a body of unknown length counts as the largest that the operation accepts', async () => {
    const headers = [`Authorization: Bearer ${admin}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const socket = await begin(requestText('POST /api/users/save', headers));
    assertErrorForm(await send(colleague), 503, 'OVERLOADED');
    socket.destroy();
  });

  it('bodies of clients without a token count by their address', async () => {
    const list = (size: number) =>
      requestText('POST /api/countries/list', ['Content-Type: application/json'], fill(size));
    const large = list(60_000);
    const sockets = [1, 2, 3, 4].map(() => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.write(large.slice(0, -1));
    await exchange(port, list(1_000));
    assertErrorForm(await exchange(port, large), 503, 'OVERLOADED');
    assertErrorForm(await send(stranger), 400, 'INVALID_INPUT');
    for (const socket of sockets) socket.destroy();
  });

  it('a body larger than the share of its company is accepted if no other body is waiting', async () => {
    assertErrorForm(await send(admin, 300_000), 400, 'INVALID_INPUT');
  });
});
