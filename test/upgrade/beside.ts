import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import { machineInWords } from '../../bench/support/medians.ts';
import { buildApp } from '../../src/app/build-app.ts';
import { contextOf } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { fewPlaces } from '../support/geographies.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { databaseUrl, TEMPLATES } from '../support/templates.ts';
import { COMMIT, hasReleaseBefore, openReleaseBefore } from './release-before.ts';
import { type Told, tellOldInstance, versionsOf } from './told.ts';

/*
 * The previous release beside the new schema. First one of its instances runs while the schema is brought up to date, and goes on to be told
 * things; this version has all of them afterwards. Then its own tests run on the new schema. Ends with 1 where something is otherwise.
 * `--only scim webhooks` runs the tests of some folders.
 */
const FOLDERS = [
  ...['scim', 'webhooks', 'import', 'administration', 'provisioning', 'bookings', 'audit', 'profile'],
  ...['approval-policies', 'departments', 'companies'],
];
/** Tests of the release that are about what has changed on purpose, and why. */
const OTHERWISE: readonly (readonly [RegExp, string])[] = [
  [/lists.test.ts: users list › shows of everybody/, 'roles of people move updatedAt'],
  [/users-update.test.ts: .* changes the fields that are sent/, 'names have the time of their change'],
  [
    /update-profile.test.ts: .* writes (every field|firstName alone|lastName alone)/,
    'names have the time of their change',
  ],
  [/import.test.ts: import › loads all files of a folder/, 'names have the time of their change'],
  [/export.test.ts: export › gives files/, 'bookings have positions, each database its own'],
  [/spending.test.ts: .* (is returned by an evaluation|equals exact)/, 'late cancellations count where they are made'],
  [/hr-imports.test.ts: .* (are read alike by|are imported into a closed)/, 'commands refuse a newer schema'],
  [/erase.test.ts: orgdesk erase › takes all out/, 'what each directory knows is erased, too'],
  [/irregular-files.test.ts: links › to regular files/, 'commands refuse a newer schema'],
];

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const say = (text: string) => process.stdout.write(`${text}\n`);

if (!hasReleaseBefore()) {
  say('Not tried: this clone does not have the commit of the previous release. git fetch --unshallow brings it.');
  process.exit();
}
await using server = await startPostgresServer({}, { inMemory: true });
using before = openReleaseBefore();
const prefix = before.run(
  `import { makePostgresTemplates } from './test/support/templates.ts';
   const { prefix } = await makePostgresTemplates(${JSON.stringify(server.url)});
   console.log(prefix);
   process.exit();`,
  {},
);
await using administrator = openPostgresDatabase({ url: server.url, maxConnections: 1 });
await administrator.query(sql`create database beside template ${raw(`${prefix}_demo`)}`);
const upgraded = await tryOneBesideTheOther(databaseUrl(server.url, 'beside'));
say(upgraded);

for (const name of TEMPLATES.slice(1)) {
  await using db = openPostgresDatabase({ url: databaseUrl(server.url, `${prefix}_${name}`), maxConnections: 4 });
  await migrate(db);
}
const settings = { TEST_DATABASE: 'postgres', TEST_POSTGRES_URL: server.url, TEST_POSTGRES_TEMPLATES: prefix };
const { passed, failed, output } = await before.test(values.only ?? FOLDERS, settings);
const log = join(tmpdir(), 'orgdesk-beside.log');
writeFileSync(log, output);
const unexpected = failed.filter((name) => !OTHERWISE.some(([pattern]) => pattern.test(name)));
const ownTests =
  `Its own tests on the new schema: ${passed} passed, ${failed.length - unexpected.length} failed as intended, ` +
  `${unexpected.length} otherwise`;
say(`${ownTests} (${log})`);
for (const name of unexpected) say(`  ${name}`);
assert.ok(passed > 0);
if (unexpected.length > 0) process.exitCode = 1;
else if (values.only === undefined) {
  const reasons = [...new Set(OTHERWISE.map(([, reason]) => reason))].map((reason) => `- ${reason}`);
  const head = `Written by \`npm run long -- beside\`: ${machineInWords()}. The previous release is ${COMMIT.slice(0, 8)}.`;
  const parts = [
    '# The previous release on the new schema',
    head,
    upgraded,
    `${ownTests}. Intended is:`,
    reasons.join('\n'),
  ];
  writeFileSync('docs/results/beside.md', `${parts.join('\n\n')}\n`);
}

async function tryOneBesideTheOther(url: string): Promise<string> {
  const config = readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: TEST_SECRET, RATE_LIMIT_WRITES: '0' });
  await using db = openPostgresDatabase({ url, maxConnections: 4 });
  await using old = await before.serve({
    DATABASE_URL: url,
    JWT_SECRET: TEST_SECRET,
    DATA_DIR: join(tmpdir(), 'orgdesk-beside'),
    RATE_LIMIT_WRITES: '0',
    WEBHOOKS: 'false',
    // Their address is of this machine.
    WEBHOOK_PRIVATE_TARGETS: 'true',
  });
  const context = await contextOf(config, db);
  const tokenOf = async (email: string) => context.signToken(await idOf(db, email), 3_600);
  const tokens = { admin: await tokenOf('admin@acme.example'), staff: await tokenOf('super.admin@orgdesk.example') };
  const company = await companyOf(db, 'admin@acme.example');
  const first = await tellOldInstance(old.address, company, tokens, 'before');
  const versions = await versionsOf(old.address, first.key);

  const applied = await migrate(db);
  const app = await buildApp({ ...context, geography: fewPlaces() });
  const now = await app.listen({ port: 0, host: '127.0.0.1' });
  assert.deepEqual(await versionsOf(now, first.key), versions, 'the versions of people and groups in SCIM');
  await first.check(now);
  const later: Told = await tellOldInstance(old.address, company, tokens, 'after');
  for (const address of [old.address, now]) {
    await first.check(address);
    await later.check(address);
  }
  await app.close();
  return (
    `Migrated by ${applied.length} files next to an instance of it: ${first.count + later.count} requests acknowledged, ` +
    `all there; ${Object.keys(versions).length} versions in SCIM as before.`
  );
}

async function idOf(db: Database, email: string): Promise<string> {
  const [user] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
  return user?.id ?? assert.fail(email);
}

async function companyOf(db: Database, email: string): Promise<string> {
  const [user] = await db.query<{ id: string }>(sql`select company_id as id from users where email = ${email}`);
  return user?.id ?? assert.fail(email);
}
