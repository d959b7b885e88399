import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import { TEST_SECRET } from './build-test-app.ts';
import { buildCommandLine, type CommandLine, type Service, type Settings } from './command-line.ts';
import { newCompany } from './company-things.ts';
import { freePort } from './free-port.ts';
import { SERVER_SETTINGS, startPostgresServer } from './postgres-server.ts';

export const DATABASES = ['embedded', 'server'] as const;
export type DatabaseKind = (typeof DATABASES)[number];

export interface Answered {
  status: number;
  /** JSON, or undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: what a caller reads is JSON.
  body: any;
}

export interface Asking {
  method?: string;
  body?: object;
}

/** The service as it is installed, on a database of its own with the demo, and whoever asks it. */
export interface Installed extends AsyncDisposable {
  readonly kind: DatabaseKind;
  readonly commandLine: CommandLine;
  readonly settings: Settings;
  /** The address of its server; undefined on the embedded database. */
  readonly databaseUrl: string | undefined;
  /** The process that answers at the moment. */
  service: Service;
  /** Starts it, at the same address as before. */
  start(): Promise<void>;
  /** Sends a request with a token or a key. */
  ask(path: string, token: string, asking?: Asking): Promise<Answered>;
  /** What is in the data of an answer that has to be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: what a caller reads is JSON.
  data(path: string, token: string, body?: object): Promise<any>;
  /** A token for a person, by the id. */
  sign(userId: string): Promise<string>;
  /** Of a Super Admin. */
  superAdmin: string;
}

const DAY = 24 * 60 * 60;

/** @param more settings of the service */
export async function install(kind: DatabaseKind, more: Settings = {}): Promise<Installed> {
  const commandLine = buildCommandLine();
  const server = kind === 'server' ? await startPostgresServer(SERVER_SETTINGS) : undefined;
  const port = await freePort();
  const settings = {
    DATA_DIR: join(commandLine.folder, 'data'),
    JWT_SECRET: TEST_SECRET,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_SCIM: '0',
    PORT: String(port),
    ...(server === undefined ? {} : { DATABASE_URL: server.url }),
    ...more,
  };
  if (server !== undefined) {
    const { code, stderr } = await commandLine.run(['import', 'demo'], settings);
    assert.equal(code, 0, stderr);
  }
  const agent = new Agent({ keepAlive: true });
  const signer = tokenSigner(keysFromSecret(TEST_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  const service = await commandLine.serve(settings);
  const token = await commandLine.run(['token', 'super.admin@orgdesk.example'], settings);
  const ask = (path: string, as: string, { method, body }: Asking = {}) =>
    send(agent, `http://127.0.0.1:${port}${path}`, as, method ?? (body === undefined ? 'GET' : 'POST'), body);
  const installed: Installed = {
    kind,
    commandLine,
    settings,
    service,
    ask,
    databaseUrl: server?.url,
    superAdmin: token.stdout.trim(),
    sign: (userId) => signer(userId, DAY),
    async start() {
      installed.service = await commandLine.serve(settings);
    },
    async data(path, as, body) {
      const answer = await ask(path, as, body === undefined ? {} : { body });
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await commandLine[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    },
  };
  return installed;
}

function send(agent: Agent, url: string, token: string, method: string, body?: object): Promise<Answered> {
  const payload = body && JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(payload);
  });
}

/** A company with defaults for its joiners, and a key of it. */
export interface KeyedCompany {
  id: string;
  keyId: string;
  key: string;
}

/** @param more of the key, such as when it expires */
export async function addKeyedCompany(
  { data, superAdmin }: Installed,
  scopes: readonly string[],
  more: object = {},
): Promise<KeyedCompany> {
  const { id } = await data('/api/companies/create', superAdmin, newCompany());
  const made = { name: 'Machine', scopes, companyId: id, ...more };
  const { id: keyId, key } = await data('/api/api-keys/create', superAdmin, made);
  return { id, keyId, key };
}

/** Adds people to a company. @returns their ids */
export async function addPeople({ data, superAdmin }: Installed, companyId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const person = {
      companyId,
      firstName: 'Ana',
      lastName: `Rao ${number}`,
      email: `${companyId}.${number}@p.example`,
    };
    ids.push((await data('/api/users/create', superAdmin, person)).id);
  }
  return ids;
}
