import assert from 'node:assert/strict';
import { createUser, type Json, ORGDESK, patchOf, type TestDirectory } from './directory.ts';

export const BOTH = { roles: [{ value: 'manager' }, { value: 'Employee' }] };
export const MOBILE = { phoneNumbers: [{ value: '+919845000001', type: 'Mobile' }] };
export const LIMITED = { [ORGDESK]: { approvalLimit: '50000.00', clientType: 'AGENCY', gender: 'Female' } };

export const workOf = ({ emails }: Json) => emails[0].value;
export const rolesOf = ({ roles = [] }: Json) => roles.map(({ value }: Json) => value);

/** Patches of people that the directory creates for them: `patched` gives the person afterwards, `refused` sees that they stay as they were. */
export function patchesOfNewUsers(directory: TestDirectory) {
  const patch = (id: string, ...operations: object[]) =>
    directory.send('PATCH', `/Users/${id}`, patchOf(...operations));

  async function patched(more: object, ...operations: object[]): Promise<Json> {
    const { id } = await createUser(directory, more);
    const { status, body } = await patch(id, ...operations);
    assert.equal(status, 200, `${JSON.stringify(operations)}: ${JSON.stringify(body)}`);
    const read = await directory.send('GET', `/Users/${id}`);
    assert.deepEqual(read.body, body);
    return body;
  }
  async function refused(scimType: string, more: object, ...operations: object[]): Promise<void> {
    const user = await createUser(directory, more);
    const { status, body } = await patch(user.id, ...operations);
    assert.deepEqual(
      [status, body.scimType],
      [400, scimType],
      `${JSON.stringify(operations)}: ${JSON.stringify(body)}`,
    );
    assert.deepEqual((await directory.send('GET', `/Users/${user.id}`)).body, user);
  }

  return { patched, refused };
}
