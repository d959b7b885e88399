import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import { type Json, newUser, openDirectory, PATCH_OP } from '../scim/directory.ts';
import { dataOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { startSigningProvider } from '../support/signing-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const provider = await startSigningProvider(AUDIENCE);
after(() => provider[Symbol.asyncDispose]());
const api = await buildTestApp({
  OIDC_ISSUER: provider.issuer,
  TOKEN_AUDIENCE: AUDIENCE,
  TOKEN_ALGORITHM: 'ES256',
  OIDC_SUBJECT_CLAIM: 'uid',
  JWT_SECRET: '',
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_SCIM: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_BAD_TOKENS: '0',
});
after(() => api[Symbol.asyncDispose]());
await waitUntil('the keys', () => api.context.identityProvider?.keys.state === 'up');

/** Somebody with an account that names them for ever, whom the company may employ. */
interface Human {
  readonly uid: string;
  /** Their row of the directory, and the id of their employment; undefined: they have none. */
  job?: { id: string; externalId: string; isActive: boolean } | undefined;
  /** What the provider has verified; undefined where somebody else has it now. */
  address?: string | undefined;
  roles: string[];
}

/** Returns numbers from 0 below 1, the same for the same seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

for (let seed = 1; seed <= 8; seed++) {
  it(`no order of hiring, renaming, leaving and returning gives anybody the roles of another (${seed})`, async () => {
    const random = randomBy(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] ?? assert.fail();
    const directory = await openDirectory(api, `Order ${seed}`);
    const { company } = directory;
    const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const byAdmin = await provider.token({ sub: 'admin', uid: randomUUID(), email: admin.email, email_verified: true });
    const addresses = Array.from({ length: 4 }, (_, number) => `shared-${number}-${seed}@order.example`);
    const humans: Human[] = Array.from({ length: 6 }, () => ({ uid: randomUUID(), roles: [] }));
    const trace: string[] = [];
    const context = () => `seed ${seed}:\n${trace.join('\n')}`;

    async function send(
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET',
      path: string,
      body?: object,
    ): Promise<Json> {
      const answer = await directory.send(method, path, body);
      assert.ok(answer.status < 300, `${context()}\n${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    }
    const patch = (id: string, ...Operations: object[]) =>
      send('PATCH', `/Users/${id}`, { schemas: [PATCH_OP], Operations });
    const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
    const isFree = (address: string) => !humans.some(({ job, address: held }) => job?.isActive && held === address);

    /** Gives an address to a human; whoever had it has lost it at the provider. */
    function assign(human: Human, address: string): void {
      for (const other of humans) if (other.address === address) other.address = undefined;
      human.address = address;
    }

    /** Hires somebody as directories do: whoever has the userName is changed, wherever nobody has it somebody is made. */
    async function hire(human: Human, address: string): Promise<void> {
      const externalId = randomUUID();
      const found = await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${address}"`)}`);
      const known: Json = found.Resources?.[0];
      const way = pick(['put', 'patch', 'two patches']);
      trace.push(`hire ${humans.indexOf(human)} as ${address} ${known ? way : ''}`);
      let id = known?.id;
      if (!known) id = (await send('POST', '/Users', newUser({ userName: address, externalId }))).id;
      else if (way === 'put')
        id = (await send('PUT', `/Users/${id}`, newUser({ userName: address, externalId, active: true }))).id;
      else if (way === 'patch') ({ id } = await patch(id, replace('externalId', externalId), replace('active', true)));
      else {
        await patch(id, replace('externalId', externalId));
        ({ id } = await patch(id, replace('active', true)));
      }
      for (const other of humans) if (other.job?.id === known?.id) other.job = undefined;
      human.job = { id, externalId, isActive: true };
      human.roles = ['EMPLOYEE'];
      assign(human, address);
    }

    async function signIn(human: Human): Promise<void> {
      const { uid, address, job, roles } = human;
      trace.push(`sign in ${humans.indexOf(human)}`);
      const token = await provider.token({
        sub: address ?? 'nobody',
        uid,
        ...(address === undefined ? {} : { email: address, email_verified: true }),
      });
      const answer = await api.send({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } });
      if (!job?.isActive) return assert.equal(answer.statusCode, 401, context());
      assert.equal(answer.statusCode, 200, `${context()}\n${answer.body}`);
      const profile = dataOf<UserView>(answer);
      assert.deepEqual([profile.id, profile.roles], [job.id, [...roles].sort()], context());
    }

    for (let step = 0; step < 70; step++) {
      const human = pick(humans);
      const { job } = human;
      const free = addresses.filter(isFree);
      const what = pick(['hire', 'rename', 'promote', 'leave', 'delete', 'return', 'sign in', 'sign in', 'sign in']);
      if (what === 'sign in') await signIn(human);
      else if (what === 'hire' && !job?.isActive && free.length > 0) {
        // Whoever is on leave comes back by the row that they have.
        if (job === undefined) await hire(human, pick(free));
      } else if (what === 'rename' && job?.isActive && free.length > 0) {
        const address = pick(free);
        const taken = await directory.send('PATCH', `/Users/${job.id}`, {
          schemas: [PATCH_OP],
          Operations: [replace('userName', address)],
        });
        trace.push(`rename ${humans.indexOf(human)} to ${address}: ${taken.status}`);
        // Somebody on leave still has it.
        if (taken.status === 200) assign(human, address);
      } else if (what === 'promote' && job?.isActive && !human.roles.includes('MANAGER')) {
        trace.push(`promote ${humans.indexOf(human)}`);
        const payload = { userId: job.id, companyId: company.id, role: 'MANAGER' };
        const headers = { authorization: `Bearer ${byAdmin}` };
        dataOf(await api.send({ method: 'POST', url: '/api/users/grant-role', headers, payload }));
        human.roles.push('MANAGER');
      } else if (what === 'leave' && job?.isActive) {
        trace.push(`leave ${humans.indexOf(human)}`);
        await patch(job.id, replace('active', false));
        job.isActive = false;
      } else if (what === 'delete' && job) {
        trace.push(`delete ${humans.indexOf(human)}`);
        await send('DELETE', `/Users/${job.id}`);
        human.job = undefined;
      } else if (what === 'return' && job && !job.isActive && (human.address === undefined || isFree(human.address))) {
        trace.push(`return ${humans.indexOf(human)}`);
        await patch(job.id, replace('active', true));
        job.isActive = true;
        const { userName } = await send('GET', `/Users/${job.id}`);
        assign(human, userName);
      }
    }
  });
}
