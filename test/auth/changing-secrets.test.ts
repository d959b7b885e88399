import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { buildApp } from '../../src/app/build-app.ts';
import { type Context, contextOf } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import { assertRefused } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';

const [OLD, NEW] = ['the secret of before, long enough for it', 'the secret that comes after the old one'];

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const { db, geography } = api;
const person = await addPerson(db);
const folder = await mkdtemp(join(tmpdir(), 'orgdesk-changing-secrets-'));
after(() => rm(folder, { recursive: true }));

/** An instance of the service with these settings, on the database of all. */
async function start(settings: Record<string, string>) {
  const { verifyToken, signToken, ...context }: Context = await contextOf(
    readConfig({ LOG_LEVEL: 'silent', ...settings }),
    db,
  );
  const app = await buildApp({ ...context, verifyToken, signToken, geography });
  return {
    sign: () => signToken(person.id, 600),
    view: (token: string) => app.inject({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } }),
    stop: () => app.close(),
  };
}

type Instance = Awaited<ReturnType<typeof start>>;

/** Sends each token to each instance. */
async function assertTaken(instances: readonly Instance[], tokens: readonly string[]): Promise<void> {
  for (const instance of instances) {
    for (const token of tokens) assert.equal((await instance.view(token)).statusCode, 200);
  }
}

/** Restarts instances one after another; no token is refused at any time. */
async function roll(instances: Instance[], settings: Record<string, string>, tokens: readonly string[]): Promise<void> {
  for (const [index, instance] of instances.entries()) {
    await instance.stop();
    instances[index] = await start(settings);
    await assertTaken(instances, tokens);
  }
}

describe('changing secrets', () => {
  it('tokens stay valid while JWT_SECRET changes from instance to instance', async () => {
    const instances = [
      await start({ JWT_SECRET: OLD }),
      await start({ JWT_SECRET: OLD }),
      await start({ JWT_SECRET: OLD }),
    ];
    const [first = assert.fail()] = instances;
    const old = await first.sign();
    await assertTaken(instances, [old]);
    await roll(instances, { JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD }, [old]);
    const fresh = (await instances[0]?.sign()) ?? assert.fail();
    await assertTaken(instances, [old, fresh]);
    await roll(instances, { JWT_SECRET: NEW }, [fresh]);
    for (const instance of instances) {
      assertRefused(await instance.view(old), 401, 'INVALID_TOKEN');
      await instance.stop();
    }
  });

  it('tokens of another secret are refused, and tokens of a previous secret after its removal', async () => {
    const both = await start({ JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD });
    const stranger = await start({ JWT_SECRET: 'a secret of somebody else, long enough' });
    assertRefused(await both.view(await stranger.sign()), 401, 'INVALID_TOKEN');
    await Promise.all([both.stop(), stranger.stop()]);
  });

  it('tokens of the previous key file are accepted until the file is removed', async () => {
    const settings = { DATA_DIR: join(folder, 'data') };
    const before = await start(settings);
    const old = await before.sign();
    await before.stop();
    const previous = join(settings.DATA_DIR, 'token-key.previous.pem');
    await rename(join(settings.DATA_DIR, 'token-key.pem'), previous);
    const both = await start(settings);
    const fresh = await both.sign();
    await assertTaken([both], [old, fresh]);
    await both.stop();
    await rm(previous);
    const afterwards = await start(settings);
    await assertTaken([afterwards], [fresh]);
    assertRefused(await afterwards.view(old), 401, 'INVALID_TOKEN');
    await afterwards.stop();
  });
});
