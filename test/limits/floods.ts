import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { tryOften } from '../faults/try-often.ts';
import { dataOf } from '../support/answers.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import type { DatabaseKind } from '../support/installed.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { startSigningProvider } from '../support/signing-provider.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
/** Tokens of each kind: what comes in a minute. */
const FLOOD = 1_000;
/** Part of a core that a flood may cost others. */
const MAX_SHARE = 0.05;

/**
 * Floods of tokens that are refused, of a company's provider, each from an address of its own. On the embedded database, whose work is in
 * this process, too.
 *
 * @param percent of 1,000
 */
export async function tryFloods(kind: DatabaseKind, percent: number): Promise<string[]> {
  if (kind !== 'embedded') return [];
  const count = Math.ceil((FLOOD * percent) / 100);
  const name = `${count} tokens a minute of each kind, from as many addresses; ${kind}`;
  return [
    await tryOften(name, 1, async () => {
      await using api = await buildTestApp(
        { WEBHOOK_PRIVATE_TARGETS: 'true', TRUST_PROXY: '127.0.0.1' },
        openTestDatabase,
      );
      // Of another company, before the process is warm.
      await flood(api, Math.ceil(count / 4));
      return flood(api, count);
    }),
  ];
}

async function flood(api: TestApp, count: number): Promise<string> {
  await using provider = await startSigningProvider(AUDIENCE);
  const company = await addCompany(api.db, `Flooded by ${count}`);
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const payload = { companyId: company.id, issuer: provider.issuer, audience: AUDIENCE, algorithm: 'ES256' };
  dataOf(await api.send({ method: 'POST', url: '/api/sign-in-connections/create', as: admin.email, payload }));
  const stranger = () => ({ sub: randomUUID(), email: `${randomUUID()}@no.example`, email_verified: true });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const forged = (header: object) =>
    new SignJWT({ iss: provider.issuer, aud: AUDIENCE, ...stranger() })
      .setExpirationTime('10m')
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header })
      .sign(privateKey);
  const kid = JSON.parse(Buffer.from((await provider.token({})).split('.')[0] ?? '', 'base64url').toString())
    .kid as string;
  const kinds: readonly (readonly [string, () => Promise<string>])[] = [
    ['of nobody', () => provider.token(stranger())],
    ['asked for at userinfo', () => provider.token({ sub: randomUUID() })],
    ['forged', () => forged({ kid })],
    ['of an unknown key', () => forged({ kid: randomUUID() })],
    ['expired', () => provider.token({ ...stranger(), exp: 1 })],
    ['for somebody else', () => provider.token({ ...stranger(), aud: 'other' })],
    ['cut', async () => (await provider.token(stranger())).slice(0, -20)],
  ];
  const ask = async (token: string, from: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
    return (await api.app.inject({ url: '/api/users/profile', headers })).statusCode;
  };
  await waitUntil(
    'the keys',
    async () => (await ask(await provider.token(stranger()), `203.0.113.${count % 250}`)) !== 503,
  );
  const seen: string[] = [];
  const shares: number[] = [];
  for (const [index, [name, make]] of kinds.entries()) {
    const tokens = await Promise.all(Array.from({ length: count }, make));
    const began = process.cpuUsage();
    const statuses = new Map<number, number>();
    for (const [n, token] of tokens.entries()) {
      const status = await ask(token, `10.${index}.${n >> 8}.${n & 255}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const { user, system } = process.cpuUsage(began);
    const share = (user + system) / 60_000_000;
    const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
    seen.push(`${name}: ${answers}, ${(100 * share).toFixed(1)} % of a core`);
    shares.push(share);
  }
  const text = seen.join('; ');
  assert.ok(count < FLOOD || Math.max(...shares) < MAX_SHARE, text);
  return text;
}
