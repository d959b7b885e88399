import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { LAST_LINE } from '../../src/backup/backup-format.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, type DatabaseKind, type Installed, install } from '../support/installed.ts';

/** Where something could be that is to be nowhere, with all the bytes of it. */
type Places = Readonly<Record<string, Buffer>>;

/** Searches the text of keys, and the secrets of webhooks, wherever a service leaves something. */
export async function searchSecrets(kind: DatabaseKind): Promise<string[]> {
  await using installed = await install(kind, { LOG_LEVEL: 'trace', WEBHOOK_PRIVATE_TARGETS: 'true' });
  const { id: companyId, keyId, key } = await addKeyedCompany(installed, ['users.read', 'scim', 'events.read']);
  const { data, superAdmin, commandLine, settings } = installed;
  const made = await commandLine.run(['key', 'Other', '--scope', 'users.read', '--company', companyId], settings);
  const keys = [key, made.stdout.trim()];
  for (const each of keys) await use(installed, each, companyId);
  const webhook = await data('/api/webhooks/create', superAdmin, { url: 'http://127.0.0.1:9/', companyId });
  const rotated = await data('/api/webhooks/rotate-secret', superAdmin, { id: webhook.id });
  await data('/api/webhooks/test', superAdmin, { id: webhook.id });
  await data('/api/webhooks/update', superAdmin, { id: webhook.id, active: false });
  await data('/api/api-keys/revoke', superAdmin, { id: keyId });
  const secrets: string[] = [webhook.secret, rotated.secret];

  const run = async (...words: string[]) => {
    const { code, stderr } = await commandLine.run(words, settings);
    assert.equal(code, 0, stderr);
  };
  const file = (name: string) => join(commandLine.folder, name);
  await run('backup', file('backup'));
  await run('export', file('export'));
  const answers: unknown[] = [];
  for (const list of ['audit/list?limit=100', 'events/list?limit=1000', 'webhooks/list', 'api-keys/list']) {
    answers.push(await data(`/api/${list}`, superAdmin));
  }
  answers.push(await data(`/api/webhooks/deliveries?id=${webhook.id}`, superAdmin));
  const { stdout, stderr } = await installed.service.kill('SIGTERM');
  const reported: Places = {
    log: Buffer.from(stdout + stderr),
    answers: Buffer.from(JSON.stringify(answers)),
    export: bytesUnder(file('export')),
  };
  const stored: Places = {
    'data folder': Buffer.concat([bytesUnder(settings.DATA_DIR ?? ''), await serverBytes(installed)]),
    backup: unpacked(readFileSync(file('backup'))),
  };
  return [
    await tryOften(`the text of two keys, used and revoked; ${kind}`, 1, async () =>
      absent(keys, { ...reported, ...stored }),
    ),
    await tryOften(`the secrets of a webhook; ${kind}`, 1, async () => {
      // The search finds what is there: the database and its backups hold them, as it is documented.
      for (const [place, bytes] of Object.entries(stored)) {
        assert.ok(
          secrets.every((secret) => bytes.includes(secret)),
          `The search finds nothing in the ${place}.`,
        );
      }
      return absent(secrets, reported);
    }),
  ];
}

/** Uses a key well and badly. */
async function use({ ask }: Installed, key: string, companyId: string): Promise<void> {
  for (const [path, token] of [
    [`/api/users/list?companyId=${companyId}`, key],
    ['/scim/v2/Users?filter=wrong', key],
    ['/api/users/profile', key],
    ['/api/nothing', key],
    ['/api/events/list', `${key}x`],
  ] as const) {
    assert.ok((await ask(path, token)).status < 500, path);
  }
}

function absent(wanted: readonly string[], places: Places): string {
  for (const [place, bytes] of Object.entries(places)) {
    assert.ok(bytes.length > 0, `There is no ${place}.`);
    assert.ok(!wanted.some((text) => bytes.includes(text)), `It stands in the ${place}.`);
  }
  const searched = Object.entries(places).map(([place, { length }]) => `${place} (${(length / 1e6).toFixed(1)} MB)`);
  return `in none of ${searched.join(', ')}`;
}

function bytesUnder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return Buffer.concat(files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path)));
}

/** A backup with its rows: they are compressed between two lines of text and a last one. */
function unpacked(backup: Buffer): Buffer {
  const rows = backup.indexOf(Buffer.from([0x1f, 0x8b]));
  return Buffer.concat([backup, gunzipSync(backup.subarray(rows, -LAST_LINE))]);
}

/** All files of the server. */
async function serverBytes({ databaseUrl }: Installed): Promise<Buffer> {
  if (databaseUrl === undefined) return Buffer.alloc(0);
  await using db = openPostgresDatabase({ url: databaseUrl, maxConnections: 1 });
  await db.query(sql`checkpoint`);
  const [setting] = await db.query<{ folder: string }>(sql`select current_setting('data_directory') as folder`);
  return bytesUnder(setting?.folder ?? '');
}
