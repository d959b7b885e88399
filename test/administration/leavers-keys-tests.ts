import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ChangedUserView } from '../../src/features/people/users-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { type Administration, describeChange } from './administration.ts';
import type { CompanyKeys } from './company-keys.ts';

/** What becomes of the API keys that somebody made when they are deactivated or lose a role. */
export function testLeaversKeys(administration: Administration, { makeKey, isRevoked }: CompanyKeys): void {
  const { api, home, other, superAdmin, admin, get, post, add, addCompany, changesOf } = administration;

  describe('the API keys of somebody who leaves', () => {
    const leaver = () => add({ roles: [['CORPORATE_ADMIN', home]] });
    const changed = async (as: Person, path: string, body: object) =>
      dataOf<ChangedUserView>(await post(as, `users/${path}`, body));

    it('users/update counts the keys of a deactivated person, and revokes them on request', async () => {
      const person = await leaver();
      const [first, second] = [await makeKey(person), await makeKey(person)];
      const ended = await makeKey(person);
      await post(admin, 'api-keys/revoke', { id: ended.id });
      const expired = await makeKey(person, { expiresAt: '2999-01-01T00:00:00Z' });
      await api.db.query(sql`update api_keys set expires_at = now() where id = ${expired.id}`);

      assert.equal((await changed(admin, 'update', { id: person.id, active: false })).keysMade, 2);
      const withKey = await api.app.inject({
        url: `/api/users/list?companyId=${home.id}`,
        headers: { authorization: `Bearer ${first.key}` },
      });
      assert.equal(withKey.statusCode, 200);
      const changes = await changesOf(async () => {
        const { keysMade } = await changed(admin, 'update', { id: person.id, active: false, revokeKeys: true });
        assert.equal(keysMade, 0);
      });
      assert.deepEqual(
        changes.map((change) => [describeChange(change).what, change.actor.userId]),
        [
          ['apiKey changed', admin.id],
          ['apiKey changed', admin.id],
        ],
      );
      assert.deepEqual(changes.map(({ entityId }) => entityId).sort(), [first.id, second.id].sort());
      assert.ok((await isRevoked(first)) && (await isRevoked(second)) && !(await isRevoked(expired)));
    });

    it('users/update with revokeKeys revokes keys in the transaction that deactivates the person', async () => {
      const person = await leaver();
      const made = await makeKey(person);
      const changes = await changesOf(async () => {
        assert.equal((await changed(admin, 'update', { id: person.id, active: false, revokeKeys: true })).keysMade, 0);
      });
      assert.deepEqual(
        changes.map((change) => describeChange(change).what),
        ['user changed', 'apiKey changed'],
      );
      assert.equal(new Set(changes.map(({ requestId }) => requestId)).size, 1);
      assert.ok(await isRevoked(made));
      const company = await addCompany();
      const last = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
      const theirs = await makeKey(last, { companyId: company.id });
      const refused = await post(last, 'users/update', { id: last.id, active: false, revokeKeys: true });
      assertRefused(refused, 409, 'LAST_ADMIN');
      assert.equal(await isRevoked(theirs, company.id), false);
    });

    it('users/revoke-role counts and revokes the keys of a person who no longer administers the company', async () => {
      const person = await leaver();
      await post(admin, 'users/grant-role', { userId: person.id, companyId: home.id, role: 'EMPLOYEE' });
      const made = await makeKey(person);
      const role = (name: string) => ({ userId: person.id, companyId: home.id, role: name });
      assert.equal((await changed(admin, 'revoke-role', { ...role('EMPLOYEE'), revokeKeys: true })).keysMade, 0);
      assert.equal(await isRevoked(made), false);
      assert.equal((await changed(admin, 'revoke-role', role('CORPORATE_ADMIN'))).keysMade, 1);
      assert.equal((await changed(admin, 'revoke-role', { ...role('CORPORATE_ADMIN'), revokeKeys: true })).keysMade, 0);
      assert.ok(await isRevoked(made));
    });

    it('revokeKeys by a Corporate Admin keeps keys of other companies, and by a Super Admin revokes them', async () => {
      const person = await leaver();
      await post(superAdmin, 'users/grant-role', { userId: person.id, companyId: other.id, role: 'CORPORATE_ADMIN' });
      const theirs = await makeKey(person, { companyId: other.id });
      const ours = await makeKey(person);
      const revoke = { userId: person.id, companyId: home.id, role: 'CORPORATE_ADMIN', revokeKeys: true };
      assert.equal((await changed(admin, 'revoke-role', revoke)).keysMade, 0);
      assert.deepEqual([await isRevoked(ours), await isRevoked(theirs, other.id)], [true, false]);
      const update = { id: person.id, active: false };
      assert.equal((await changed(superAdmin, 'update', update)).keysMade, 1);
      assert.equal((await changed(superAdmin, 'update', { ...update, revokeKeys: true })).keysMade, 0);
      assert.ok(await isRevoked(theirs, other.id));
    });

    it('users/revoke-role of Super Admin counts and revokes the platform keys of the person', async () => {
      const person = await add({ systemRole: { role: 'SUPER_ADMIN', active: true } });
      await makeKey(person, { companyId: undefined, scopes: ['users.read'] });
      const ours = await makeKey(person);
      const role = { userId: person.id, role: 'SUPER_ADMIN' };
      assert.equal((await changed(superAdmin, 'revoke-role', role)).keysMade, 2);
      assert.equal((await changed(superAdmin, 'revoke-role', { ...role, revokeKeys: true })).keysMade, 0);
      assert.ok(await isRevoked(ours));
    });

    it('users/update returns no key count for other changes, and the ETag ignores keys', async () => {
      const person = await leaver();
      await makeKey(person);
      assert.equal((await changed(admin, 'update', { id: person.id, gender: 'Other' })).keysMade, undefined);
      const response = await post(admin, 'users/update', { id: person.id, active: false });
      const { headers } = await get(admin, 'users/get', { id: person.id });
      assert.equal(response.headers.etag, headers.etag);
    });

    it('revokeKeys returns 400 unless it is a boolean in a request that deactivates or revokes a role', async () => {
      const { id } = await leaver();
      for (const body of [{}, { active: true }, { gender: 'Other' }]) {
        assertInvalid(await post(admin, 'users/update', { id, ...body, revokeKeys: true }), 'revokeKeys');
        assert.equal((await post(admin, 'users/update', { id, ...body, revokeKeys: false })).statusCode, 200);
      }
      for (const revokeKeys of ['yes', 1, null, []]) {
        assertInvalid(await post(admin, 'users/update', { id, active: false, revokeKeys }), 'revokeKeys');
        const role = { userId: id, companyId: home.id, role: 'MANAGER' };
        assertInvalid(await post(admin, 'users/revoke-role', { ...role, revokeKeys }), 'revokeKeys');
        assertInvalid(await post(admin, 'users/grant-role', { ...role, revokeKeys: true }), 'revokeKeys');
      }
    });
  });
}
