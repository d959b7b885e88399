import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { auditedInsert, write } from '../../../src/audit/audited-write.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { writeBackup } from '../../../src/backup/write-backup.ts';
import { missingRights, SERVICE_RIGHTS } from '../../../src/commands/check/service-rights.ts';
import { eraseCommand } from '../../../src/commands/people-commands.ts';
import { importFolder } from '../../../src/import/import-folder.ts';
import { exportFolder } from '../../../src/import/write/export-folder.ts';
import { openAdministration } from '../../administration/administration.ts';
import { endOfFeed, follow, trailFor } from '../../audit/trail.ts';
import { wholeContents } from '../../backup/backups.ts';
import { dataOf } from '../../support/answers.ts';
import { openBlankDatabase, openTestDatabase } from '../../support/test-database.ts';
import { travelDocument } from './project.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, superAdmin, foreignAdmin, add, get, post } = administration;
const folder = await mkdtemp(join(tmpdir(), 'orgdesk-entity-'));
after(() => rm(folder, { recursive: true, force: true }));
const owner = await add({ columns: { first_name: 'Priya', last_name: 'Das' } });
const insertDocument = auditedInsert(travelDocument);

async function create(fields: object) {
  return post(admin, 'projects/create', { companyId: home.id, name: 'Fleet', code: 'CC-1', ...fields });
}

async function addDocument(): Promise<string> {
  const row = { id: randomUUID(), companyId: home.id, userId: owner.id, kind: 'Passport', number: 'Z1234567' };
  await write(api.db, insertDocument([row], { kind: 'command' }));
  return row.id;
}

describe('an added entity', { concurrency: false }, () => {
  const id = randomUUID();

  it('projects/create accepts a person of the company as owner, returns 400 for a foreign person, and users/get counts it among what the owner leaves', async () => {
    const from = await endOfFeed(api, superAdmin.email);
    const refused = await create({ ownerId: foreignAdmin.id });
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, /"ownerId".*must be the id of a user of this company/);
    assert.equal((await create({ id, ownerId: owner.id })).statusCode, 200);
    const { leaves } = dataOf<{ leaves: { others: object[] } }>(
      await get(admin, 'users/get', { id: owner.id, include: 'leaves' }),
    );
    assert.deepEqual(leaves.others, [{ entity: 'project', field: 'ownerId', count: 1 }]);
    const { items } = await follow(api, superAdmin.email, { after: from });
    assert.deepEqual(
      items.map((change) => [change.entity, change.action, change.entityId, change.companyId]),
      [['project', 'added', id, home.id]],
    );
  });

  it('the history returns the name of an added entity, also after removal, and of its references', async () => {
    const [change] = await trailFor(api, admin.email, { entity: 'project', entityId: id });
    assert.deepEqual([change?.entityName, change?.names[owner.id]], ['Fleet', 'Priya Das']);
    const other = dataOf<{ id: string }>(await create({ name: 'Gone', code: 'CC-9' })).id;
    await post(admin, 'projects/delete', { id: other });
    const [removed] = await trailFor(api, admin.email, { entity: 'project', entityId: other });
    assert.deepEqual([removed?.action, removed?.entityName], ['removed', 'Gone']);
    const group = await api.send({ url: '/api/audit/list', as: admin.email, query: { group: 'request', limit: '1' } });
    assert.match(group.body, /"entity":"project"/);
  });

  it('an added entity can be selected for a webhook', async () => {
    const chosen = async (entity: string) => {
      // No port of this address is reached: the only problem of the choice is the address.
      const webhook = { companyId: home.id, url: 'https://127.0.0.1:9/', entities: [entity] };
      return (await post(admin, 'webhooks/create', webhook)).json<{ errors: { field: string }[] }>().errors;
    };
    const isOfEntities = ({ field }: { field: string }) => field.startsWith('entities');
    assert.equal((await chosen('project')).some(isOfEntities), false);
    assert.equal((await chosen('projekt')).some(isOfEntities), true);
  });

  it('an added entity leaves the import of people unchanged', async () => {
    const csv = `email,firstName,lastName\n${randomUUID()}@acme.example,Mira,Nair\n`;
    const headers = { 'content-type': 'text/csv' };
    const response = await api.send({
      method: 'POST',
      url: '/api/users/import',
      as: admin.email,
      query: { companyId: home.id },
      headers,
      payload: csv,
    });
    assert.equal(response.statusCode, 200, response.body);
    assert.equal(dataOf<{ added: number }>(response).added, 1);
  });

  it('an added entity is exported, and imported into a new database', async () => {
    await exportFolder(api.db, join(folder, 'export'));
    const csv = await readFile(join(folder, 'export', 'projects.csv'), 'utf8');
    assert.match(csv, new RegExp(`${id},${home.id},Fleet,CC-1,${owner.id}`));
    await using other = await openTestDatabase();
    const { files } = await importFolder(other, join(folder, 'export'));
    assert.equal(files.find(({ file }) => file === 'projects.csv')?.added, 1);
    const rows = await other.query(sql`select owner_id from projects`);
    assert.deepEqual(rows, [{ owner_id: owner.id }]);
  });

  it('an added entity about a person is in the history, and in no export, feed or file', async () => {
    const from = await endOfFeed(api, superAdmin.email);
    const document = await addDocument();
    assert.deepEqual((await follow(api, superAdmin.email, { after: from })).items, []);
    const [change] = await trailFor(api, admin.email, { entity: 'travelDocument' });
    assert.deepEqual([change?.entityId, change?.userId, change?.entityName], [document, owner.id, 'Priya Das']);
  });

  it('an added entity is backed up and restored', async () => {
    const file = join(folder, 'backup');
    await writeBackup(api.db, file);
    await using other = await openBlankDatabase();
    await restoreBackup(other, file);
    const [own, restored] = [await wholeContents(api.db), await wholeContents(other)];
    for (const table of ['projects', 'travel_documents']) {
      assert.equal(own[table]?.length, 1);
      assert.deepEqual(restored[table], own[table]);
    }
  });

  it('an added entity is among the rights of the service', async () => {
    const rights = SERVICE_RIGHTS.filter(([, on]) => on.split(', ').includes('projects')).map(([right]) => right);
    assert.deepEqual(rights, ['select', 'insert', 'update (name, code, owner_id, updated_at)', 'delete']);
    assert.deepEqual(await missingRights(api.db), []);
  });

  it("an erased person's added entity is removed if it is about them, and kept if it refers to them", async () => {
    const output = { print: () => undefined, progress: () => undefined, flushed: async () => undefined };
    await eraseCommand.act(api.context, [owner.id], output, {});
    assert.deepEqual(await api.db.query(sql`select owner_id from projects`), [{ owner_id: owner.id }]);
    assert.deepEqual(await api.db.query(sql`select id from travel_documents`), []);
    const values = await api.db.query(sql`
      select from audit_personal_values where field_values::text like '%Z1234567%'`);
    assert.deepEqual(values, []);
  });
});
