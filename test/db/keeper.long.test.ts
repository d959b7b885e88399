import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { Database, Reader } from '../../src/db/database.ts';
import { openEmbeddedDatabase } from '../../src/embedded/embedded-database.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { waitUntil } from '../support/wait-until.ts';

const MEGABYTE = 2 ** 20;

describe('the keeper of the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-keeper-'));
  let look = () => {};
  let db: Database;

  before(async () => {
    const dataDir = await makeDataFolder(join(folder, 'data'), 'migrated');
    const callRegularly = (given: () => void) => {
      look = given;
      return { [Symbol.dispose]: () => undefined };
    };
    db = await openEmbeddedDatabase(dataDir, { command: 'test' }, { callRegularly, sync: false });
    await db.query(sql`create table kept (id integer primary key, text text not null)`);
  });
  after(async () => {
    await db[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const figures = () => {
    assert.ok(db.embeddedFigures);
    return db.embeddedFigures();
  };
  /** Lets seconds pass until the condition holds. */
  const passUntil = (condition: () => boolean | Promise<boolean>) =>
    waitUntil('the keeper', () => {
      for (let check = 0; check < 10; check++) look();
      return condition();
    });
  const fill = (rows: number, by: Reader = db) =>
    by.query(sql`insert into kept select n, repeat('x', 500) from generate_series(1, ${rows}::integer) n
      on conflict (id) do update set text = excluded.text || 'y'`);
  const logSize = () => {
    const log = join(folder, 'data', 'postgres', 'pg_wal');
    return readdirSync(log)
      .map((name) => statSync(join(log, name)).size)
      .reduce((sum, size) => sum + size, 0);
  };

  it('the keeper makes a checkpoint after 64 MB of log, so that the log stays below 192 MB', async () => {
    const before = figures().runs.checkpoint;
    for (let round = 0; round < 24; round++) {
      await fill(10_000);
      await passUntil(() => figures().logBytes < 64 * MEGABYTE);
    }
    assert.ok(figures().runs.checkpoint > before);
    assert.ok(logSize() <= 192 * MEGABYTE, `${logSize() / MEGABYTE} MB`);
  });

  it('the keeper makes a checkpoint of a smaller log after five minutes, and none without new writes', async () => {
    await fill(10);
    const { checkpoint } = figures().runs;
    await passUntil(() => figures().runs.checkpoint === checkpoint + 1);
    assert.equal(figures().logBytes, 0);
  });

  it('the keeper vacuums and analyzes a changed table, so that it does not grow with further changes', async () => {
    const size = async () => {
      const [row] = await db.query<{ bytes: number }>(sql`select pg_relation_size('kept')::integer as bytes`);
      return row?.bytes ?? 0;
    };
    await fill(2_000);
    await passUntil(() => figures().deadRows < 2_000);
    const before = await size();
    for (let round = 0; round < 10; round++) {
      const { vacuum } = figures().runs;
      await fill(2_000);
      await fill(2_000);
      await passUntil(() => figures().runs.vacuum > vacuum);
    }
    assert.ok((await size()) <= 2 * before, `${before} bytes became ${await size()}`);
  });

  it('the keeper makes a checkpoint and vacuums amid requests that never pause', async () => {
    const before = figures().runs;
    let isOver = false;
    const writing = db.session(async (session) => {
      const write = async () => {
        while (!isOver) await fill(4_000, session);
      };
      await Promise.all([write(), write()]);
    });
    await passUntil(() => figures().runs.checkpoint >= before.checkpoint + 2 && figures().runs.vacuum > before.vacuum);
    isOver = true;
    await writing;
    assert.ok(logSize() <= 192 * MEGABYTE, `${logSize() / MEGABYTE} MB`);
  });

  it('the keeper analyzes a filled table, so that the planner has its number of rows', async () => {
    await db.query(sql`create table filled (id integer)`);
    await db.query(sql`insert into filled select generate_series(1, 5000)`);
    await passUntil(async () => {
      const [row] = await db.query<{ rows: number }>(
        sql`select reltuples::integer as rows from pg_class where relname = ${'filled'}`,
      );
      return row?.rows === 5_000;
    });
  });
});
