import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { CONTRACT, FOLDER, outputOf, packageOf, run, start } from './tools.ts';

/** The zod schemas of orval read these. */
const READ = {
  ListUsersResponse: '/api/users/list?limit=100&companyId=b3cb9b86-e923-4834-bb80-42f6e9b215da',
  ListEventsResponse: '/api/events/list?limit=1000',
  ListAuditTrailResponse: '/api/audit/list?limit=100',
  ListCitiesResponse: '/api/cities/list?isPaginationNeeded=true',
  GetProfileResponse: '/api/users/profile',
};

type Read = (baseUrl: string, token: string, companyId: string) => Promise<object>;
type Schemas = Record<string, { parse(answer: unknown): { data: unknown } }>;

/** A service that listens, and somebody who may do everything in it. */
export async function openService() {
  const unlimited = Object.fromEntries(['PUBLIC', 'USER', 'WRITES', 'COMPANY'].map((of) => [`RATE_LIMIT_${of}`, '0']));
  const settings = { ...unlimited, WEBHOOK_PRIVATE_TARGETS: 'true' };
  const api = await buildTestApp(settings, openDemoDatabase, {
    resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
    resolveTexts: async () => [],
  });
  const company = await companyNamed(api.db, 'Acme');
  const systemRole = { role: 'SUPER_ADMIN', active: true } as const;
  const { email } = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]], systemRole });
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  return { api, address, email, token: await api.tokenFor(email), companyId: company.id };
}

/** Reads a service that listens, by the clients of these generators. */
export async function readByClients(names: readonly string[]): Promise<void> {
  const { api, address, email, token, companyId } = await openService();
  await using _ = api;
  const load = (file: string) => import(pathToFileURL(resolve(FOLDER, file)).href);
  const valuesAt = async (url: string, name: string) =>
    (await api.send({ url, as: email })).json().data.map((item: Record<string, string>) => item[name]);
  const people = await valuesAt(`/api/users/list?companyId=${companyId}&limit=2`, 'email');
  const expected = { email, people, cities: await valuesAt('/api/cities/list?search=mumbai', 'name') };
  for (const name of names) {
    const { read } = (await load(`uses/${name}.ts`)) as { read: Read };
    assert.deepEqual(await read(address, token, companyId), expected, name);
  }
  const schemas = (await load('generated/orval-zod/client.ts')) as Schemas;
  for (const [name, url] of Object.entries(READ)) {
    const response = await api.send({ url, as: email });
    assert.equal(response.statusCode, 200, response.body);
    assert.ok((schemas[name] ?? assert.fail(name)).parse(response.json()).data, name);
  }
  process.stdout.write(`${names.join(', ')} and orval with zod: read the service\n`);
}

/** Of these one parameter of several is required, which a collection does not know. */
const ONE_OF_SEVERAL = ['Evaluate an approval'];

interface Execution {
  item: { name: string };
  request: { method: string; url: { path: readonly string[] } };
  response?: { code: number; header: readonly { key: string; value: string }[]; stream: { data: readonly number[] } };
}

/**
 * Converts the contract to a collection of Postman and sends each of its requests, by newman, through Prism to the service: none is refused
 * for its form, and Prism finds nothing that violates the contract.
 */
export async function tour(node: string): Promise<void> {
  const { api, address, token } = await openService();
  await using _ = api;
  const port = String(await freePort());
  await using __ = await start(
    node,
    '@stoplight/prism-cli',
    ['proxy', CONTRACT, address, '--port', port, '--host', '127.0.0.1'],
    'listening',
  );
  const [collection, report] = [join('generated', 'collection.json'), join('generated', 'newman.json')];
  const options = 'parametersResolution=Example,enableOptionalParameters=false';
  await run(node, 'openapi-to-postmanv2', ['-s', CONTRACT, '-o', collection, '-O', options]);
  const variables = { baseUrl: `http://127.0.0.1:${port}`, bearerToken: token };
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const reporter = ['--reporters', 'json', '--reporter-json-export', report];
  assert.equal(await outputOf(run(node, 'newman', ['run', collection, ...given, ...reporter])), '');
  const { executions } = JSON.parse(readFileSync(join(FOLDER, report), 'utf8')).run as { executions: Execution[] };
  const codes = new Map<number, number>();
  const faults = executions.flatMap(({ item, request, response }) => {
    const name = `${request.method} /${request.url.path.join('/')} (${item.name})`;
    if (response === undefined) return [`${name}: no answer`];
    const { code, header, stream } = response;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    const violations = header.find(({ key }) => key.toLowerCase() === 'sl-violations')?.value;
    return [
      ...((code === 400 && !ONE_OF_SEVERAL.includes(item.name)) || code >= 500
        ? [`${name}: ${code} ${Buffer.from(stream.data).toString().slice(0, 400)}`]
        : []),
      ...(violations === undefined ? [] : [`${name}: ${violations}`]),
    ];
  });
  assert.deepEqual(faults, []);
  const counts = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${count} × ${code}`);
  process.stdout.write(
    `newman ${packageOf('newman').version} through prism ${packageOf('@stoplight/prism-cli').version}: ` +
      `${executions.length} requests of the collection, ${counts.join(', ')}, no violation\n`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : assert.fail();
}
