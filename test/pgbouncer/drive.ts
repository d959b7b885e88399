import assert from 'node:assert/strict';
import { trailFor } from '../audit/trail.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import type { TestApp } from '../support/build-test-app.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { addPerson, companyNamed, type Person } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';

const PEOPLE = 16;

/**
 * Sends every operation again and again, from many people at once and to each of the instances in turn, and looks whether each
 * answer is right; in the end, whether each update is in the trail once. Gives the number of requests.
 */
export async function driveEverything(apis: readonly TestApp[], rounds: number): Promise<number> {
  const [first] = apis;
  assert.ok(first);
  const { id: companyId } = await companyNamed(first.db, 'Acme');
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => addPerson(first.db)));
  let requests = 0;
  const counted = <Result>(result: Result): Result => {
    requests += 1;
    return result;
  };

  async function round(api: TestApp, person: Person, number: number): Promise<void> {
    const gender = `G ${number}`;
    const headers = number % 2 === 0 ? {} : { 'if-match': '*' };
    const updated = counted(await updateProfile(api, 'POST', person.email, { gender }, headers));
    assert.equal(dataOf<{ gender: string }>(updated).gender, gender);
    const [profile, companies, ...lists] = await Promise.all([
      api.send({ url: '/api/users/profile', as: person.email }),
      api.send({ url: COMPANIES_LIST, as: 'super.admin@orgdesk.example', query: { search: 'acme' } }),
      ...Object.values(COMPANY_LISTS).map((url) => api.send({ url, as: 'manager@acme.example', query: { companyId } })),
    ]);
    assert.deepEqual([dataOf<Person>(profile).id, dataOf<{ gender: string }>(profile).gender], [person.id, gender]);
    assert.equal(pageOf<{ id: string }>(companies).items[0]?.id, companyId);
    for (const list of lists) assert.ok(pageOf(list).items.length > 0);
    requests += 2 + lists.length;
    const refused = counted(await api.send({ url: COMPANIES_LIST, as: person.email }));
    assert.equal(refused.statusCode, 403);
  }

  await Promise.all(
    people.map(async (person, place) => {
      for (let number = 0; number < rounds; number++) {
        const api = apis[(place + number) % apis.length];
        assert.ok(api);
        await round(api, person, number);
      }
      const trail = counted(await trailFor(first, person.email));
      assert.equal(trail.length, rounds);
      assert.deepEqual(
        trail.map(({ changes }) => changes[0]?.after),
        Array.from({ length: rounds }, (_, index) => `G ${rounds - 1 - index}`),
      );
    }),
  );
  const feed = counted(await first.send({ url: '/api/events/list', as: 'super.admin@orgdesk.example' }));
  assert.equal(feed.statusCode, 200);
  return requests;
}
