import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../lib/errors.ts';
import { type Answer, askLockOwner, type LockOwner } from './control-channel.ts';
import { FolderInUseError, lockDataFolder } from './data-folder-lock.ts';
import { listenAt } from './local-socket.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orgdesk-channel-'));
});
after(() => rm(folder, { recursive: true }));

/** Locks the folder and opens the socket at which other processes reach the owner. */
async function hold(answer?: Answer) {
  const errors: unknown[] = [];
  const lock = await lockDataFolder(folder, {
    command: 'orgdesk serve',
    onError: (error) => errors.push(error),
    ...(answer === undefined ? {} : { answer }),
  });
  const refused = await lockDataFolder(folder, { command: 'second' }).catch((error: unknown) => error);
  assert.ok(refused instanceof FolderInUseError);
  return { owner: refused.owner, errors, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]() };
}

async function ask(owner: LockOwner, ...request: string[]): Promise<string[]> {
  const printed: string[] = [];
  await askLockOwner(owner, request, (text) => printed.push(text));
  return printed;
}

const post = (body: string) =>
  `POST / HTTP/1.1\r\nHost: local\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const userError = (pattern: RegExp) => (error: unknown) => error instanceof UserError && pattern.test(error.message);

test('the lock owner receives the request, and the client receives the printed lines in order', async () => {
  const requests: unknown[] = [];
  await using held = await hold(async (request, print) => {
    requests.push(request);
    print('one\ntwo');
    await sleep(5);
    for (let i = 0; i < 100; i++) print(`${i} \u2028 é`);
  });
  const printed = await ask(held.owner, 'token', 'zoë@acme.example\n\u2028');
  assert.deepEqual(requests, [['token', 'zoë@acme.example\n\u2028']]);
  assert.deepEqual(printed, ['one\ntwo', ...Array.from({ length: 100 }, (_, i) => `${i} \u2028 é`)]);
});

test('a client of the control channel receives the progress of a long step', async () => {
  const report = { step: 'reading users.csv', done: 1, total: 2, unit: 'bytes' } as const;
  await using held = await hold(async (_request, print, progress) => {
    progress(report);
    print('done');
    progress({ ...report, done: 2 });
  });
  const reported: unknown[] = [];
  const print = (text: string) => reported.push(text);
  await askLockOwner(held.owner, ['import'], print, (progress) => reported.push(progress));
  assert.deepEqual(reported, [report, 'done', { ...report, done: 2 }]);
});

test('the control channel answers several clients at the same time', async () => {
  await using held = await hold(async ([word = ''], print) => {
    await sleep(word === 'a' ? 30 : 5);
    print(word);
  });
  assert.deepEqual(await Promise.all([ask(held.owner, 'a'), ask(held.owner, 'b')]), [['a'], ['b']]);
});

test('a client of the control channel receives the message of a UserError after the printed lines', async () => {
  await using held = await hold(async (_request, print) => {
    print('so far');
    throw new UserError('There is no user nobody@acme.example.');
  });
  const printed: string[] = [];
  await assert.rejects(
    askLockOwner(held.owner, [], (text) => printed.push(text)),
    userError(/^There is no user nobody@acme\.example\.$/),
  );
  assert.deepEqual(printed, ['so far']);
  assert.deepEqual(held.errors, []);
});

test('a client of the control channel gets a general message for any other error, without details', async () => {
  const failure = new Error('password=secret');
  await using held = await hold(() => Promise.reject(failure));
  await assert.rejects(ask(held.owner), userError(/^The running orgdesk failed: see its log\.$/));
  assert.deepEqual(held.errors, [failure]);
});

test('a client of the control channel gets an error that names a lock owner without a request handler', async () => {
  await using held = await hold();
  await assert.rejects(ask(held.owner, 'token'), userError(/"orgdesk serve" takes no requests/));
});

test('a client of the control channel gets an error if the lock owner has stopped or stops', async () => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const held = await hold(() => {
    begin();
    return new Promise(() => undefined);
  });
  const requested = assert.rejects(ask(held.owner), userError(/"orgdesk serve" \(pid \d+\) stopped before/));
  await begun;
  await held[Symbol.asyncDispose]();
  await requested;
  await assert.rejects(ask(held.owner), userError(/stopped before/));
});

test('the lock owner continues to answer requests after a client disconnects', async () => {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await using held = await hold(async ([word = ''], print) => {
    begin();
    if (word === 'slow') await gone;
    print(word);
    print(word);
  });
  const asker = connect(held.owner.socket).end(post('["slow"]'));
  await begun;
  asker.destroy();
  await sleep(20);
  go();
  assert.deepEqual(await ask(held.owner, 'next'), ['next', 'next']);
  assert.deepEqual(held.errors, []);
});

test('the control channel refuses a request that is too long or cannot be parsed', async () => {
  await using held = await hold(async () => undefined);
  assert.deepEqual(await ask(held.owner, 'x'.repeat(1024 * 1024 - 4)), []);
  await assert.rejects(ask(held.owner, 'x'.repeat(1024 * 1024)), userError(/longer than 1048576 bytes/));
  for (const text of ['nonsense', '{"request":["token"]}', '[1]', 'null']) {
    const reply = await new Promise((resolve) => {
      connect(held.owner.socket, function (this: Socket) {
        this.write(post(text));
        this.once('data', (data) => resolve(String(data)));
      });
    });
    assert.match(String(reply), /\{"error":"The running orgdesk cannot read the request/);
  }
  assert.deepEqual(held.errors, []);
});

test('a client of the control channel throws for a response that is cut off or cannot be parsed', async () => {
  const reply = async (text: string) => {
    const socket = join(folder, 'other.sock');
    await using _server = await listenAt(socket, (connection) => connection.end(text));
    await ask({ pid: 1, command: 'other', since: '', host: '', socket });
  };
  const response = (text: string) =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n${text}`;
  for (const text of ['', response('{"print":"half"}\n'), response('{"done":true}')]) {
    await assert.rejects(reply(text), userError(/stopped/), text);
  }
  for (const text of ['{"done":true}\n', response('half\n'), 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']) {
    await assert.rejects(reply(text), userError(/cannot read: is it another version/), text);
  }
});

test('the lock owner waits for a client that does not read, until that client disconnects', async () => {
  const [piece, pieces] = ['x'.repeat(64 * 1024), 1000];
  let printed = 0;
  const holder = new EventEmitter();
  const ended = once(holder, 'ended');
  await using held = await hold(async (_request, print, _progress, flushed) => {
    try {
      for (; printed < pieces; printed++) {
        print(piece);
        await flushed();
      }
      holder.emit('ended');
    } catch (error) {
      holder.emit('ended', error);
      throw error;
    }
  });
  const asker = connect(held.owner.socket);
  asker.write(post('["audit"]'));
  await once(asker, 'readable');
  asker.destroy();
  assert.ok((await ended)[0] instanceof UserError);
  assert.ok(printed < pieces, `${printed}`);
});
