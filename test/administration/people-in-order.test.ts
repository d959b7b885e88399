import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ListedUserView } from '../../src/features/people/users-schemas.ts';
import { assertInvalid, pageOf } from '../support/answers.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { addCompany, add, get, superAdmin } = administration;

const company = await addCompany();
const PEOPLE = [
  ['Zoe', '5.00', '2026-01-01T00:00:00.000Z', true],
  ['Ana', '20.00', '2026-01-03T00:00:00.000Z', false],
  ['Bo', '20.00', '2026-01-03T00:00:00.000Z', true],
  ['Susana', '100.00', '2026-01-02T00:00:00.000Z', false],
] as const;
const ids = new Map<string, string>();
for (const [name, limit, updated, active] of PEOPLE) {
  const columns = { first_name: name, last_name: 'X', approval_limit: limit, updated_at: updated, active };
  ids.set(name, (await add({ company, columns })).id);
}
/** Those of one limit and time, in the order of their ids. */
const tied = ['Ana', 'Bo'].sort((one, other) => (String(ids.get(one)) < String(ids.get(other)) ? -1 : 1));

async function names(query: Record<string, string>): Promise<string[]> {
  const list = { companyId: company.id, ...query };
  return pageOf<ListedUserView>(await get(superAdmin, 'users/list', list)).items.map(({ firstName }) => firstName);
}

describe('the people of a company', () => {
  it('users/list returns people in the requested order, then by id', async () => {
    for (const [sort, order] of [
      ['name', ['Ana', 'Bo', 'Susana', 'Zoe']],
      ['-name', ['Zoe', 'Susana', 'Bo', 'Ana']],
      ['approvalLimit', ['Zoe', ...tied, 'Susana']],
      ['-approvalLimit', ['Susana', ...tied, 'Zoe']],
      ['updatedAt', ['Zoe', 'Susana', ...tied]],
      ['-updatedAt', [...tied, 'Susana', 'Zoe']],
    ] as const) {
      assert.deepEqual(await names({ sort }), order, sort);
      const pages = await Promise.all([1, 2].map((page) => names({ sort, limit: '2', page: String(page) })));
      assert.deepEqual(pages.flat(), order, sort);
    }
    assert.deepEqual(await names({ sort: '' }), ['Ana', 'Bo', 'Susana', 'Zoe']);
  });

  it('users/list ranks matches at the start of a name first only if no order is requested', async () => {
    assert.deepEqual(await names({ search: 'an' }), ['Ana', 'Susana']);
    assert.deepEqual(await names({ search: 'an', sort: '-approvalLimit' }), ['Susana', 'Ana']);
    assert.deepEqual(await names({ search: 'an', sort: 'updatedAt' }), ['Susana', 'Ana']);
  });

  it('users/list with inactiveOnly returns only deactivated people', async () => {
    assert.deepEqual(await names({ inactiveOnly: 'true' }), ['Ana', 'Susana']);
    assert.deepEqual(await names({ inactiveOnly: 'true', activeOnly: 'false' }), ['Ana', 'Susana']);
    assert.deepEqual(await names({ inactiveOnly: 'false', activeOnly: 'true' }), ['Bo', 'Zoe']);
    assert.deepEqual(await names({ inactiveOnly: '', activeOnly: '' }), await names({}));
  });

  it('users/list returns 400 for an unknown order, and for inactiveOnly with activeOnly', async () => {
    const list = (query: Record<string, string>) => get(superAdmin, 'users/list', { companyId: company.id, ...query });
    for (const sort of ['Name', '+name', '--name', 'email', 'name,updatedAt']) {
      assertInvalid(await list({ sort }), 'sort');
    }
    assertInvalid(await list({ inactiveOnly: 'yes' }), 'inactiveOnly');
    assertInvalid(await list({ inactiveOnly: 'true', activeOnly: 'true' }), 'inactiveOnly');
  });
});
