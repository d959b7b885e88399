import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createUser, ENTERPRISE, type Json, ORGDESK, type TestDirectory, USER } from './directory.ts';
import { BOTH, LIMITED, MOBILE, patchesOfNewUsers, workOf } from './patched-users.ts';

/** What a directory takes away from a user, in whatever form it says so. */
export function testRemovedValues(directory: TestDirectory): void {
  const { patched, refused } = patchesOfNewUsers(directory);

  describe('what is removed', () => {
    it('a SCIM PATCH that removes or empties an optional value removes it or restores its default', async () => {
      for (const [path, more, left] of [
        [`${ORGDESK}:approvalLimit`, LIMITED, ({ [ORGDESK]: own }: Json) => own.approvalLimit === '0.00'],
        [`${ORGDESK}:clientType`, LIMITED, ({ [ORGDESK]: own }: Json) => own.clientType === 'CORPORATE'],
        [`${ORGDESK}:gender`, { [ORGDESK]: { gender: 'F' } }, ({ [ORGDESK]: own }: Json) => own.gender === undefined],
        ['phoneNumbers', MOBILE, ({ phoneNumbers }: Json) => phoneNumbers === undefined],
        ['phoneNumbers[type eq "mobile"]', MOBILE, ({ phoneNumbers }: Json) => phoneNumbers === undefined],
        ['phoneNumbers[type eq "mobile"].value', MOBILE, ({ phoneNumbers }: Json) => phoneNumbers === undefined],
        ['externalId', { externalId: 'removed' }, ({ externalId }: Json) => externalId === undefined],
        ['emails', {}, (user: Json) => workOf(user) === user.userName],
        ['roles', BOTH, ({ roles }: Json) => roles === undefined],
      ] as const) {
        for (const operation of [
          { op: 'remove', path },
          { op: 'Remove', path, value: null },
          { op: 'replace', path, value: '' },
          { op: 'Replace', path, value: null },
          { op: 'add', path, value: null },
        ]) {
          const body = await patched(more, operation);
          assert.ok(left(body), `${JSON.stringify(operation)}: ${JSON.stringify(body)}`);
        }
      }
      for (const value of [[], null, '']) {
        assert.equal((await patched(MOBILE, { op: 'replace', path: 'phoneNumbers', value })).phoneNumbers, undefined);
      }
    });

    it('a SCIM PATCH that removes a required value returns 400', async () => {
      for (const path of [
        'userName',
        'active',
        'name',
        'name.givenName',
        'NAME.FamilyName',
        `${USER}:active`,
        ORGDESK,
        `${ORGDESK}:bandCode`,
      ]) {
        await refused('mutability', {}, { op: 'Remove', path });
      }
      for (const path of ['userName', 'active', 'name.givenName', `${ORGDESK}:bandCode`]) {
        for (const value of ['', null]) {
          await refused('invalidValue', {}, { op: 'replace', path, value });
          await refused('invalidValue', {}, { op: 'replace', value: { [path]: value } });
        }
      }
    });

    it('a SCIM PUT without the approval limit and client type restores their defaults', async () => {
      for (const schemas of [[USER], [USER, ENTERPRISE, ORGDESK], undefined]) {
        for (const extension of [
          { bandCode: 'B1' },
          { bandCode: 'B1', approvalLimit: '', clientType: null },
          {},
          undefined,
        ]) {
          const { id, ...user } = await createUser(directory, { ...LIMITED, ...MOBILE });
          const { status, body } = await directory.send('PUT', `/Users/${id}`, {
            ...user,
            schemas,
            [ORGDESK]: extension,
          });
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual(body[ORGDESK], { bandCode: 'B1', approvalLimit: '0.00', clientType: 'CORPORATE' });
        }
      }
    });
  });
}
