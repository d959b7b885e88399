import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { tryOften } from '../faults/try-often.ts';
import { dataOf } from '../support/answers.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import type { DatabaseKind } from '../support/installed.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { type SigningProvider, startSigningProvider } from '../support/signing-provider.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
/** Tokens of each kind: what comes in a minute. */
const FLOOD = 1_000;
/** Part of a core that a flood may cost: 5 % for others, and what the provider takes, which answers in the same process. */
const MAX_SHARE = 0.055;

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
      const seen: string[] = [];
      const shares: number[] = [];
      for (const [index, flooding] of [KINDS[0], ...KINDS].entries()) {
        const { answers, share } = await flood(api, flooding.tokens, index, count);
        // The first one warms the process.
        if (index === 0) continue;
        seen.push(`${flooding.name}: ${answers}, ${(100 * share).toFixed(1)} % of a core`);
        shares.push(share);
      }
      const text = seen.join('; ');
      assert.ok(count < FLOOD || Math.max(...shares) < MAX_SHARE, text);
      return text;
    }),
  ];
}

/** Returns a token that is refused. @param forged signs with another key, with further fields of the header */
type RefusedToken = (provider: SigningProvider, forged: (header: object) => Promise<string>) => Promise<string>;

const stranger = () => ({ sub: randomUUID(), email: `${randomUUID()}@no.example`, email_verified: true });

const KINDS: readonly [Flooding, ...Flooding[]] = [
  { name: 'of nobody', tokens: (provider) => provider.token(stranger()) },
  { name: 'asked for at userinfo', tokens: (provider) => provider.token({ sub: randomUUID() }) },
  { name: 'forged', tokens: async (provider, forged) => forged({ kid: await keyOf(provider) }) },
  { name: 'of an unknown key', tokens: (_, forged) => forged({ kid: randomUUID() }) },
  { name: 'expired', tokens: (provider) => provider.token({ ...stranger(), exp: 1 }) },
  { name: 'for somebody else', tokens: (provider) => provider.token({ ...stranger(), aud: 'other' }) },
  { name: 'cut', tokens: async (provider) => (await provider.token(stranger())).slice(0, -20) },
];

interface Flooding {
  name: string;
  tokens: RefusedToken;
}

async function keyOf(provider: SigningProvider): Promise<string> {
  const [header = ''] = (await provider.token({})).split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
}

/** Floods a new company's provider. @returns the answers, and the part of a core that they cost in a minute */
async function flood(api: TestApp, tokenOf: RefusedToken, index: number, count: number) {
  await using provider = await startSigningProvider(AUDIENCE);
  const company = await addCompany(api.db, `Flooded ${index}`);
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const payload = { companyId: company.id, issuer: provider.issuer, audience: AUDIENCE, algorithm: 'ES256' };
  dataOf(await api.send({ method: 'POST', url: '/api/sign-in-connections/create', as: admin.email, payload }));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const forged = (header: object) =>
    new SignJWT({ iss: provider.issuer, aud: AUDIENCE, ...stranger() })
      .setExpirationTime('10m')
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header })
      .sign(privateKey);
  const ask = async (token: string, from: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
    return (await api.app.inject({ url: '/api/users/profile', headers })).statusCode;
  };
  await waitUntil('the keys', async () => (await ask(await provider.token(stranger()), `203.0.113.${index}`)) !== 503);
  const tokens = await Promise.all(Array.from({ length: count }, () => tokenOf(provider, forged)));
  const began = process.cpuUsage();
  const statuses = new Map<number, number>();
  for (const [n, token] of tokens.entries()) {
    const status = await ask(token, `10.${index}.${n >> 8}.${n & 255}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const { user, system } = process.cpuUsage(began);
  const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
  return { answers, share: (user + system) / 60_000_000 };
}
