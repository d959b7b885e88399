import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { GEOGRAPHY_TABLES } from '../../src/backup/tables.ts';
import { schemaVersions } from '../../src/db/migrator.ts';
import { openBlankDatabase } from '../support/test-database.ts';
import { LANDED_BACKUP, LANDED_SCHEMA } from '../upgrade/landed.ts';

test('a backup of the first version is restored, and brought to the schema of this one', async () => {
  await using db = await openBlankDatabase();
  const { schemaVersion, tables } = await restoreBackup(db, LANDED_BACKUP);
  assert.equal(schemaVersion, LANDED_SCHEMA);
  const { present, newest } = await schemaVersions(db);
  assert.equal(present, newest);
  for (const { name, rows } of tables) {
    if (GEOGRAPHY_TABLES.some((dropped) => dropped === name)) continue;
    const [found] = await db.query<{ count: number }>(sql([`select count(*)::integer as count from ${name}`]));
    assert.equal(found?.count, rows, name);
  }
});
