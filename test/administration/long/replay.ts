import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { type FieldValue, shownValue } from '../../../src/audit/changes.ts';
import { jsonOfFields } from '../../../src/audit/entity-sql.ts';
import type { Database, Reader } from '../../../src/db/database.ts';
import { ENTITIES } from '../../../src/entities/entities.ts';
import { type Entity, fieldOf } from '../../../src/entities/entity.ts';
import { importFolder } from '../../../src/import/import-folder.ts';
import { FILE_NAMES } from '../../../src/import/write/csv-folder.ts';
import { exportFolder } from '../../../src/import/write/export-folder.ts';
import { countChanges, follow } from '../../audit/trail.ts';
import type { TestApp } from '../../support/build-test-app.ts';

/** Rows by what they are and their ids. */
type Mirror = Record<string, Record<string, Record<string, unknown>>>;

/** Those that the trail tells of. */
const AUDITED = ENTITIES.filter(({ auditSubject }) => auditSubject !== undefined);

/**
 * What a follower makes of the change feed from its beginning, who takes each change for what it says. Each tells what was there before,
 * too: that has to be what the follower has.
 */
export async function replayFeed(api: TestApp, as: string): Promise<{ mirror: Mirror; changes: number }> {
  const mirror: Mirror = Object.fromEntries(AUDITED.map(({ name }) => [name, {}]));
  let count = 0;
  for (let after = ''; ; ) {
    const { items, next } = await follow(api, as, { after, limit: '1000' });
    if (items.length === 0) return { mirror, changes: count };
    for (const { action, entity, entityId, changes } of items) {
      const rows = mirror[entity] ?? assert.fail(`The feed tells of ${entity}`);
      const place = `${entity} ${entityId} ${action}`;
      const row = rows[entityId] ?? {};
      assert.equal(entityId in rows, action !== 'added', place);
      for (const { field, before, after: value, kept } of changes) {
        assert.ok(kept, `${place} ${field}`);
        assert.deepEqual(before, row[field] ?? null, `${place} ${field}`);
        row[field] = value;
      }
      if (action === 'removed') {
        assert.deepEqual(without(row), {}, place);
        delete rows[entityId];
      } else rows[entityId] = row;
    }
    count += items.length;
    after = next;
  }
}

/** The tables, in the form of {@link replayFeed}. */
export async function storedRows(db: Reader): Promise<Mirror> {
  const mirror: Mirror = {};
  for (const entity of AUDITED) {
    const names = Object.keys(entity.fields).filter((name) => name !== entity.id);
    const id = raw(fieldOf(entity, entity.id).column);
    const rows = await db.query<{ id: string; row: Record<string, FieldValue> }>(sql`
      select ${id}::text as id, ${jsonOfFields<Entity>(entity, names)} as row from ${raw(entity.table)}`);
    const shown = (row: Record<string, FieldValue>) =>
      Object.entries(row).map(([field, value]) => [field, shownValue(entity.name, field, value)]);
    mirror[entity.name] = Object.fromEntries(
      rows.map(({ id: key, row }) => [key, without(Object.fromEntries(shown(row)))]),
    );
  }
  return mirror;
}

/** Makes sure that following the feed from its beginning gives the tables. @returns how many changes there are */
export async function assertFeedToGiveTables(api: TestApp, as: string): Promise<number> {
  const { mirror, changes } = await replayFeed(api, as);
  const stored = await storedRows(api.db);
  for (const { name } of AUDITED) {
    const followed = Object.entries(mirror[name] ?? {}).map(([id, row]) => [id, without(row)]);
    assert.deepEqual(Object.fromEntries(followed), stored[name]);
  }
  return changes;
}

/**
 * Makes sure that what is exported comes in again and changes nothing, that it comes into an empty database, and that both export the same
 * bytes again.
 *
 * @returns how many rows it were
 */
export async function assertRoundTrip(db: Database, empty: Database): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'orgdesk-round-trip-'));
  try {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const exported = await exportFolder(db, first);
    const before = await countChanges(db);
    const { files } = await importFolder(db, first);
    for (const { file, rows, unchanged } of files) assert.equal(unchanged, rows, file);
    assert.equal(await countChanges(db), before);
    await exportFolder(db, second);
    await importFolder(empty, first);
    await exportFolder(empty, third);
    for (const file of FILE_NAMES) {
      const bytes = await readFile(join(first, file));
      for (const other of [second, third])
        assert.ok(bytes.equals(await readFile(join(other, file))), `${other} ${file}`);
    }
    return exported.reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Null and absent are one. */
function without(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
