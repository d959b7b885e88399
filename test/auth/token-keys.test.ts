import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { tokenSigner, tokenVerifier } from '../../src/auth/tokens/access-token.ts';
import { keysFromFolder } from '../../src/auth/tokens/token-keys.ts';
import { UserError } from '../../src/lib/errors.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';

const SETTINGS = { issuer: 'orgdesk', audience: 'orgdesk', subjects: 'user ids' } as const;
const USER = '11111111-2222-4333-8444-555555555555';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-token-keys-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const api = await buildCheckedApp({ JWT_SECRET: '', DATA_DIR: join(folder, 'data') });
after(() => api[Symbol.asyncDispose]());
const keyFile = join(folder, 'data', 'token-key.pem');
const person = await addPerson(api.db);

const view = (token: string) => api.send({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } });

function sign(algorithm: string, key: Parameters<SignJWT['sign']>[0]): Promise<string> {
  const token = new SignJWT({ sub: person.id }).setProtectedHeader({ alg: algorithm }).setIssuer('orgdesk');
  return token.setAudience('orgdesk').setExpirationTime('1h').sign(key);
}

describe('the own key pair', () => {
  it('tokens signed by the own key pair are accepted, by EdDSA', async () => {
    const token = await api.tokenFor(person.email);
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'EdDSA', typ: 'JWT' });
    assert.equal(dataOf<{ id: string }>(await view(token)).id, person.id);
  });

  it('the own key pair is one file in the data folder, readable only for its owner', () => {
    assert.deepEqual(readdirSync(join(folder, 'data')), ['token-key.pem']);
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'data')).mode & 0o777, 0o700);
    assert.equal(createPrivateKey(readFileSync(keyFile)).asymmetricKeyType, 'ed25519');
  });

  it('an existing key pair is used by the next process that opens the folder', async () => {
    const before = readFileSync(keyFile, 'utf8');
    const keys = await keysFromFolder(join(folder, 'data'));
    dataOf(await view(await tokenSigner(keys, SETTINGS)(person.id, 60)));
    assert.equal(readFileSync(keyFile, 'utf8'), before);
  });

  it('tokens of another key pair or algorithm, or signed with the public key as a secret, are refused', async () => {
    const pair = createPublicKey(createPrivateKey(readFileSync(keyFile)));
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const token of [
      await sign('EdDSA', generateKeyPairSync('ed25519').privateKey),
      await sign('RS256', rsa),
      await sign('HS256', createSecretKey(Buffer.from(pair.export({ type: 'spki', format: 'pem' })))),
      await sign('HS256', createSecretKey(pair.export({ type: 'spki', format: 'der' }))),
      await sign('HS256', createSecretKey(Buffer.from(String(pair.export({ format: 'jwk' }).x), 'base64url'))),
    ]) {
      assertRefused(await view(token), 401, 'INVALID_TOKEN');
    }
  });

  it("root is refused a new key pair in another user's folder", { skip: process.geteuid?.() !== 0 }, async () => {
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign);
    chownSync(foreign, 12_345, 12_345);
    await assert.rejects(keysFromFolder(foreign), (error) => {
      assert.ok(
        error instanceof UserError && /belongs to 12345, .*Nothing was changed/s.test(error.message),
        `${error}`,
      );
      return true;
    });
    assert.deepEqual(readdirSync(foreign), []);
  });

  it('simultaneous processes create one key pair, and leave no drafts', async () => {
    const shared = join(folder, 'shared', 'deep');
    const all = await Promise.all(Array.from({ length: 8 }, () => keysFromFolder(shared)));
    assert.deepEqual(readdirSync(shared), ['token-key.pem']);
    assert.equal(statSync(join(shared, 'token-key.pem')).mode & 0o777, 0o600);
    const token = await tokenSigner(all[0] ?? assert.fail(), SETTINGS)(USER, 60);
    for (const keys of all) assert.deepEqual((await tokenVerifier(keys, SETTINGS)(token)).owner, { userId: USER });
  });

  it('a key file with other content is refused by name, and left as it is', async () => {
    const damaged = join(folder, 'damaged');
    const file = join(damaged, 'token-key.pem');
    mkdirSync(damaged);
    copyFileSync(keyFile, file);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = readFileSync(file, 'utf8');
    for (const content of ['', 'no key', text.slice(0, 60), privateKey.export({ type: 'pkcs8', format: 'pem' })]) {
      writeFileSync(file, content);
      await assert.rejects(
        keysFromFolder(damaged),
        (error) => error instanceof UserError && error.message.startsWith(file),
      );
      assert.equal(readFileSync(file, 'utf8'), content);
    }
  });
});
