import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { writePeople } from '../../bench/data/people.ts';
import type { Database } from '../../src/db/database.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson, userRow } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { contents, importFiles, makeFolder, user, validFiles } from './folders.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());

describe('import during requests', () => {
  it('profiles can be updated while an import reads files, and no update is lost', async () => {
    await using folder = await makeFolder({});
    await writePeople(folder.path, { companies: 20, users: 6000, roles: 6000, bookings: 0 });
    const person = await addPerson(api.db);
    let answered = 0;
    /** Each piece of a file is read once an update has been answered after the piece before it. */
    async function* afterUpdates(pieces: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const piece of pieces) {
        yield piece;
        const before = answered;
        await waitUntil('an update', () => answered > before);
      }
    }
    const db: Database = {
      ...api.db,
      session: (work) =>
        api.db.session((session) =>
          work({ ...session, copyInto: (target, pieces) => session.copyInto(target, afterUpdates(pieces)) }),
        ),
    };
    let importing = true;
    const imported = importFolder(db, folder.path).finally(() => {
      importing = false;
    });
    while (importing) {
      const { statusCode } = await updateProfile(api, 'POST', person.email, { firstName: `Update ${answered + 1}` });
      assert.equal(statusCode, 200);
      answered++;
    }
    const { files } = await imported;
    assert.ok(files.every(({ rows, added }) => rows === added));
    assert.equal((await userRow(api.db, person.id)).first_name, `Update ${answered}`);
  });

  it('an import leaves alone a profile outside its folder that was updated after its checks', async () => {
    await importFiles(api.db, validFiles);
    await using folder = await makeFolder({ 'users.csv': [user(31, 1, { firstName: 'Imported' })] });
    const changes: Promise<unknown>[] = [];
    await importFolder(api.db, folder.path, {
      onProgress: ({ step, done }) => {
        if (step !== 'writing' || done > 0) return;
        changes.push(updateProfile(api, 'POST', 'u32@x.example', { firstName: 'By hand', lastName: 'Too' }));
      },
    });
    await Promise.all(changes);
    const { users = [] } = await contents(api.db);
    const names = users.filter(({ email }) => /^u3[12]@x/.test(String(email))).map(({ first_name: name }) => name);
    assert.deepEqual(names, ['Imported', 'By hand']);
  });
});
