import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';

export const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));

/** A database with the two roles that docs/database.md sets up. Disposing of it drops all three; the service's connections are for others to close. */
export interface DocumentedRoles extends AsyncDisposable {
  owner: Database;
  service: Database;
  /** Of the service. */
  url: string;
  /** Of the names of the roles, which are those of the whole server. */
  ending: string;
  /** Migrates, imports the demo, and gives the service its rights, twice. */
  prepare(): Promise<void>;
}

export async function openDocumentedRoles(): Promise<DocumentedRoles> {
  const ending = `_test_${randomBytes(4).toString('hex')}`;
  const administrator = openPostgresDatabase({ url: process.env.TEST_POSTGRES_URL ?? '', maxConnections: 1 });
  const [administratorSql, ownerSql] = documentedSql(ending);
  for (const statement of administratorSql) await administrator.query(sql`${raw(statement)}`);
  const url = urlOf('service', ending);
  const owner = openPostgresDatabase({ url: urlOf('owner', ending), maxConnections: 2 });
  const service = openPostgresDatabase({ url, maxConnections: 4, statementTimeout: 20_000 });
  return {
    owner,
    service,
    url,
    ending,
    async prepare() {
      assert.ok((await migrate(owner)).length > 0);
      await importFolder(owner, DEMO);
      for (let times = 0; times < 2; times++) {
        await owner.session((session) => session.transaction((transaction) => transaction.run(ownerSql)));
      }
    },
    async [Symbol.asyncDispose]() {
      await owner[Symbol.asyncDispose]();
      await administrator.query(sql`${raw(`drop database orgdesk${ending} with (force)`)}`);
      for (const role of ['service', 'owner']) {
        await administrator.query(sql`${raw(`drop role orgdesk_${role}${ending}`)}`);
      }
      await administrator[Symbol.asyncDispose]();
    },
  };
}

/** The SQL of the administrator in the documentation, and that of the owner. */
function documentedSql(ending: string): [administrator: string[], owner: string] {
  const [, section = ''] = /\n## Two roles\n(.*?)\n## /s.exec(readFileSync('docs/database.md', 'utf8')) ?? [];
  const blocks = [...section.matchAll(/```sql\n(.*?)```/gs)].map(([, text = '']) => text);
  assert.equal(blocks.length, 1);
  const [administrator = '', owner = ''] = [...blocks, readFileSync('deploy/postgres/rights.sql', 'utf8')].map((text) =>
    text.replace(/\borgdesk(_owner|_service)?\b/g, `$&${ending}`),
  );
  return [administrator.split(/;\s*/).filter(Boolean), owner];
}

function urlOf(role: 'owner' | 'service', ending: string): string {
  const url = new URL(process.env.TEST_POSTGRES_URL ?? '');
  Object.assign(url, {
    username: `orgdesk_${role}${ending}`,
    password: `${role.toUpperCase()}_PASSWORD`,
    pathname: `/orgdesk${ending}`,
  });
  return url.href;
}
