import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '../../src/client/client.ts';
import type { Scope } from '../../src/entities/api-key.ts';

export const EXAMPLES = resolve('examples');
export const ACME = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';

type Environment = Readonly<Record<string, string>>;

export interface Clients {
  /** Of a Super Admin. */
  readonly staff: Client;
  /** The variables of a program: a new key of the company. */
  environment(scopes: Scope[], companyId?: string): Promise<Environment & { ORGDESK_KEY: string }>;
  /** A client by a new key of the company. */
  keyed(scopes: Scope[], companyId?: string): Promise<Client>;
}

export async function clientsOf(address: string): Promise<Clients> {
  const response = await fetch(`${address}/console/config`);
  const { data } = (await response.json()) as { data: { people: { email: string; token: string }[] } };
  const token = data.people.find(({ email }) => email === 'super.admin@orgdesk.example')?.token ?? assert.fail();
  const staff = createClient({ baseUrl: address, token });
  const environment: Clients['environment'] = async (scopes, companyId = ACME) => {
    const { data: made } = await staff.post('/api/api-keys/create', { name: 'Example', scopes, companyId });
    return { ORGDESK_URL: address, ORGDESK_KEY: made.key, COMPANY_ID: companyId };
  };
  return {
    staff,
    environment,
    async keyed(scopes, companyId) {
      return createClient({ baseUrl: address, token: (await environment(scopes, companyId)).ORGDESK_KEY });
    },
  };
}

export interface Program extends AsyncDisposable {
  readonly address: string;
  /** Sends a request. @returns its status, its headers and its body, read as JSON if it is */
  send(path: string, options?: RequestInit): Promise<{ status: number; headers: Headers; body: unknown }>;
}

const start = (command: string, words: readonly string[], env: Environment) =>
  spawn(command, words, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

/** Starts a server of the examples, and waits until it names its address. */
export async function open(env: Environment, command: string, ...words: string[]): Promise<Program> {
  const child = start(command, words, env);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  const address = await new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        const [named] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
        if (named) found(named);
      });
    }
    child.once('exit', () => failed(new Error(`${words.join(' ')} ended: ${output}`)));
  });
  return {
    address,
    async send(path, options) {
      const response = await fetch(`${address}${path}`, options);
      const body = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(body) : body };
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}

/** Runs a program to its end. */
export async function run(env: Environment, ...words: string[]) {
  const child = start(process.execPath, words, env);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, stdout, stderr };
}

export function say(words: string): void {
  process.stdout.write(`${words}\n`);
}
