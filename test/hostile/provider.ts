import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKeyServer } from '../support/key-server.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { makeToken, providerMaker } from '../support/token-makers.ts';
import { startTarget, type Witness, witness } from './target.ts';

const AUDIENCE = 'https://orgdesk.example/api';
/** Milliseconds: the cool-down between two fetches of keys, and what an unanswered one may take. */
const COOL_DOWN = 30_000;
const FETCH = 5_000;
/** Milliseconds that an unknown key may take. */
const DEADLINE_MS = 4_000;
const PROFILE = 'GET /api/users/profile';

/**
 * So many callers come at once, each with a token that names a key of its own, when the identity provider has fallen silent; and once
 * more while it is being asked. Others come with good tokens, the same one and new ones, and for public lists.
 *
 * @param maxWait milliseconds that a good token and a public list may take
 */
export async function silentProvider(callers: number, maxWait: number): Promise<{ result: string; seen: Witness }> {
  await using provider = await startKeyServer({});
  const maker = providerMaker(provider.url, AUDIENCE);
  provider.answer = { keys: [maker.jwk] };
  const bearer = (header: object, claims: object) =>
    `Bearer ${makeToken(maker, { ...maker.header, ...header }, { ...maker.claims, ...claims })}`;
  const person = { email: 'manager@acme.example', email_verified: true };
  // Each 503 is an error in the log.
  const settings = { JWKS_URL: `${provider.url}/keys`, TOKEN_ISSUER: provider.url, TOKEN_AUDIENCE: AUDIENCE };
  await using target = await startTarget({ ...settings, LOG_LEVEL: 'fatal' });
  const ask = async (authorization: string) => {
    const start = performance.now();
    const { status } = await exchange(target.port, requestText(PROFILE, [`Authorization: ${authorization}`]));
    return { status, milliseconds: performance.now() - start };
  };
  assert.equal((await ask(bearer({}, person))).status, 200);
  await sleep(COOL_DOWN);
  provider.answer = () => undefined;
  provider.requests.length = 0;

  const unknown: Awaited<ReturnType<typeof ask>>[] = [];
  const fresh: typeof unknown = [];
  const made = Array.from({ length: callers }, (_, index) => bearer({ kid: `unknown-${index}` }, person));
  const askWithNewOnes = async () => {
    for (let number = 0; number < 20; number++) fresh.push(await ask(bearer({}, { ...person, jti: fresh.length })));
  };
  const flood = async () => {
    const [answers] = await Promise.all([Promise.all(made.map(ask)), askWithNewOnes()]);
    unknown.push(...answers);
  };
  const seen = await witness(target, bearer({}, person), async () => {
    const over = sleep(FETCH);
    await flood();
    await flood();
    await over;
  });
  const slowest = (answers: typeof unknown) => Math.max(...answers.map(({ milliseconds }) => milliseconds));
  for (const { status } of fresh) assert.equal(status, 200);
  // Once the question is over, the key is none of those that are known.
  const late = unknown.filter(({ status }) => status === 401).length;
  for (const { status } of unknown) assert.ok(status === 503 || status === 401, `answered ${status}`);
  seen.slowest = Math.max(seen.slowest, slowest(fresh));
  seen.served += fresh.length;
  assert.ok(seen.slowest <= maxWait, `A good token or a list waited ${seen.slowest.toFixed(0)} ms.`);
  assert.ok(slowest(unknown) <= DEADLINE_MS, `An unknown key was waited for ${slowest(unknown).toFixed(0)} ms.`);
  // Tokens make it ask once; by itself it asks again what has failed, every five seconds.
  const questions = provider.requests.length;
  assert.ok(questions >= 1 && questions <= 3, `The provider was asked ${questions} times.`);
  const seconds = (slowest(unknown) / 1000).toFixed(1);
  const refused = `${unknown.length - late} × 503, ${late} × 401 after ${seconds} s at most`;
  return { result: `${refused}, ${questions} questions to the provider`, seen };
}
