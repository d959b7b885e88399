import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChangeView } from '../../src/audit/change-view.ts';
import { exportChanges } from '../../src/audit/export-changes.ts';
import { auditCommand } from '../../src/commands/folder-commands.ts';
import { deferred } from '../../src/lib/deferred.ts';
import { UserError } from '../../src/lib/errors.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { countChanges, follow } from './trail.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const { email: superAdmin } = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

/** What `orgdesk audit export` prints with these options: the changes, and its last line. */
async function exported(options: Record<string, string> = {}) {
  const lines: string[] = [];
  const output = {
    print: (text: string) => void lines.push(text),
    progress: () => undefined,
    flushed: async () => undefined,
  };
  await auditCommand.act(api.context, ['export'], output, options);
  const last = lines.pop() ?? assert.fail();
  const sha256 = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
  assert.deepEqual(JSON.parse(last), { end: { changes: lines.length, sha256 } });
  return lines.map((line): ChangeView => JSON.parse(line));
}

describe('audit export', () => {
  it('an audit export has all changes as the feed returns them, personal values included', async () => {
    const person = await addPerson(db);
    await updateProfile(api, 'POST', person.email, { phone: '+353 1 555 0199' });
    const changes = await exported();
    assert.equal(changes.length, await countChanges(db));
    const { items } = await follow(api, superAdmin, { limit: '1000' });
    assert.deepEqual(changes.slice(0, 1000), items);
    assert.equal(changes.at(-1)?.changes[0]?.after, '+35315550199');
  });

  it('an audit export takes a time from which and a time before which changes count', async () => {
    const person = await addPerson(db);
    for (const gender of ['one', 'two', 'three']) await updateProfile(api, 'POST', person.email, { gender });
    const [first, second, third] = (await exported()).slice(-3);
    const from = second?.changedAt ?? assert.fail();
    const to = third?.changedAt ?? assert.fail();
    assert.ok(first && from < to);
    assert.deepEqual(await exported({ from, to }), [second]);
    assert.deepEqual(await exported({ from: '2999-01-01' }), []);
    assert.deepEqual(await exported({ to: '2000-01-01' }), []);
    for (const wrong of [{ from: 'yesterday' }, { to: '2026-02-30' }, { to: '2026-01-01T10:00' }]) {
      await assert.rejects(exported(wrong), UserError);
    }
  });

  it('an audit export waits for a slow reader, and delays no other request', async () => {
    const [person, taken] = [await addPerson(db), deferred()];
    let lines = 0;
    const exporting = exportChanges(db, {}, () => {
      lines++;
      return taken.promise;
    });
    while (lines === 0) await yieldToEventLoop();
    assert.equal((await updateProfile(api, 'POST', person.email, { gender: 'meanwhile' })).statusCode, 200);
    assert.equal(lines, 1);
    taken.resolve();
    await exporting;
    // The change of meanwhile is not among them, and the end is.
    assert.equal(lines, await countChanges(db));
  });
});
