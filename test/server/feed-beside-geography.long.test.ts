import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeView } from '../../src/audit/change-view.ts';
import { loadGeography } from '../../src/features/geography/load/load-geography.ts';
import { endOfFeed, follow } from '../audit/trail.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';

test('the change feed goes on while the geography loads', async () => {
  await using api = await buildCheckedApp();
  const { email } = await addPerson(api.db);
  const start = await endOfFeed(api, email);
  let isLoading = true;
  let seen: Promise<{ items: ChangeView[]; wasLoading: boolean }> | undefined;
  async function changeAndFollow() {
    await updateProfile(api, 'POST', email, { gender: 'Meanwhile' });
    const { items } = await follow(api, email, { after: start });
    return { items, wasLoading: isLoading };
  }
  await loadGeography(api.db, () => {
    seen ??= changeAndFollow();
  });
  isLoading = false;
  const { items, wasLoading } = (await seen) ?? assert.fail('Nothing was loaded');
  assert.equal(wasLoading, true, 'the answer came only when the geography was there');
  assert.deepEqual(
    items.map(({ changes: [field] }) => field?.after),
    ['Meanwhile'],
  );
});
