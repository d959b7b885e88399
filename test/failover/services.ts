import { join } from 'node:path';
import sql from 'sql-template-tag';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { buildCommandLine } from '../support/command-line.ts';
import { freePorts } from '../support/free-port.ts';
import { type Cluster, waitFor } from './cluster.ts';
import type { WorkingFolder } from './working-folder.ts';

/** Somebody of the demo who updates the own profile. */
export interface Person {
  id: string;
  authorization: string;
}

/** Two instances of the service on one database. */
export interface Services extends AsyncDisposable {
  addresses: readonly string[];
  people: readonly Person[];
}

export const DATABASE = 'orgdesk';
const INSTANCES = 2;
const PEOPLE = ['admin@acme.example', 'manager@acme.example', 'employee@acme.example', 'admin@globex.example'];

/** Starts the service as it is installed, on the demo companies, through HAProxy. */
export async function startServices(folder: WorkingFolder, cluster: Cluster): Promise<Services> {
  const commandLine = buildCommandLine();
  const settings = { DATABASE_URL: cluster.urlOf(DATABASE), JWT_SECRET: TEST_SECRET, LOG_LEVEL: 'warn' };
  await createDatabase(cluster);
  const migrated = await commandLine.run(['migrate'], settings);
  if (migrated.code !== 0) throw new Error(`The database could not be prepared:\n${migrated.stderr}`);

  const ports = await freePorts(INSTANCES);
  const addresses: string[] = [];
  for (const [place, port] of ports.entries()) {
    const name = `service${place + 1}`;
    folder.start(name, process.execPath, [join(commandLine.folder, 'dist/cli.js'), 'serve'], {
      isOurs: true,
      settings: { ...settings, PORT: String(port), DATA_DIR: join(folder.path, name), DEMO_DATA: 'true' },
    });
    const address = `http://127.0.0.1:${port}`;
    await waitFor(`${name} to be ready`, async () => ((await fetch(`${address}/readyz`)).ok ? true : undefined));
    addresses.push(address);
  }
  return {
    addresses,
    people: await Promise.all(PEOPLE.map((email) => personOf(email, cluster))),
    [Symbol.asyncDispose]: () => commandLine[Symbol.asyncDispose](),
  };
}

/** Waits for HAProxy too: until it has looked for the first time it takes every node for the primary. */
async function createDatabase(cluster: Cluster): Promise<void> {
  await waitFor('HAProxy to lead to the primary', async () => {
    await using db = openPostgresDatabase({
      url: cluster.urlOf('postgres'),
      maxConnections: 1,
      statementTimeout: 2_000,
    });
    const [row] = await db.query<{ standby: boolean }>(sql`select pg_is_in_recovery() as standby`);
    return row?.standby === false ? true : undefined;
  });
  await using db = await cluster.openOnLeader('postgres');
  await db.query(sql`create database orgdesk`);
}

async function personOf(email: string, cluster: Cluster): Promise<Person> {
  await using db = await cluster.openOnLeader(DATABASE);
  const [user] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
  const sign = tokenSigner(keysFromSecret(TEST_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  return { id: user?.id ?? '', authorization: `Bearer ${await sign(user?.id ?? '', 86_400)}` };
}
