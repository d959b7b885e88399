import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { afterAnswersDue, whenOver } from './response-over.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Sends requests at once to a new server, and returns its responses when all have arrived. */
async function arrived(number: number, listener: RequestListener = () => undefined) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const responses: ServerResponse[] = [];
  server.on('request', (request, response) => {
    responses.push(response);
    listener(request, response);
  });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  after(() => {
    client.destroy();
    server.close();
  });
  // Writing to it after it is closed causes a reset.
  client.on('error', () => undefined).write(GET.repeat(number));
  while (responses.length < number) await once(server, 'request');
  return { client, responses, socket: responses[0]?.req.socket as Socket };
}

/** Waits until a socket is closed, by an error or not. */
const closed = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve));

test('each response is over once when the connection is closed, also those that Node has queued', async () => {
  const { client, responses, socket } = await arrived(3);
  const over: number[] = [];
  for (const [number, response] of responses.entries()) whenOver(response, () => over.push(number));
  // The second response is complete, and queued behind the first.
  responses[1]?.end('here');
  client.destroy();
  await closed(socket);
  assert.deepEqual(over, [0, 1, 2]);
});

test('a response is over when it has been sent, and the callback that was added last runs first', async () => {
  const { client, responses, socket } = await arrived(2);
  const over: string[] = [];
  for (const [number, response] of responses.entries()) {
    whenOver(response, () => over.push(`${number} first`));
    whenOver(response, () => over.push(`${number} last`));
  }
  for (const response of responses.toReversed()) response.end();
  client.resume();
  while (over.length < 4) await new Promise(setImmediate);
  assert.deepEqual(over, ['0 last', '0 first', '1 last', '1 first']);
  client.destroy();
  await closed(socket);
  assert.equal(over.length, 4);
});

test('a callback for a response that is already over runs immediately', async () => {
  const { client, responses, socket } = await arrived(2);
  const [sent, never] = responses as [ServerResponse, ServerResponse];
  sent.end();
  await once(sent, 'finish');
  client.destroy();
  await closed(socket);
  let over = 0;
  whenOver(sent, () => over++);
  whenOver(never, () => over++);
  assert.equal(over, 2);
});

test('afterAnswersDue waits for pending responses, but not for a request that is still arriving', async () => {
  const { client, responses, socket } = await arrived(2, (_request, response) => whenOver(response, () => undefined));
  const [first, second] = responses as [ServerResponse, ServerResponse];
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhe');
  while (responses.length < 3) await new Promise(setImmediate);
  let called = 0;
  afterAnswersDue(socket, () => called++);
  second.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(called, 0);
  first.end();
  while (called === 0) await new Promise(setImmediate);
  afterAnswersDue(socket, () => called++);
  assert.equal(called, 2, 'none is due');
  responses[2]?.writeHead(200).flushHeaders();
  afterAnswersDue(socket, () => called++);
  assert.equal(called, 2, 'one is on its way');
});
