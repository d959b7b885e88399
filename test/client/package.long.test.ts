import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type TypeScript from 'typescript';
import { installOwnPackages } from '../../assets/own-packages.ts';
import { newSecret, signedHeaders } from '../../src/features/webhooks/messages.ts';
import { compileProgram } from '../support/command-line.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { serve } from './served.ts';

const ts: typeof TypeScript = createRequire(import.meta.url)(join(installOwnPackages('tools'), 'typescript'));
/** A project of somebody who has installed the package, and no other. */
const project = mkdtempSync(join(tmpdir(), 'orgdesk-client-'));
const installed = join(project, 'node_modules/orgdesk-client');
after(() => rmSync(project, { recursive: true, force: true, maxRetries: 5 }));
before(() => {
  mkdirSync(join(project, 'node_modules'));
  const { TEST_PROGRAM: program = join(project, 'program') } = process.env;
  if (process.env.TEST_PROGRAM === undefined) compileProgram(program);
  cpSync(join(program, 'client-package'), installed, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  // Node's own types, where the project is one for Node.
  mkdirSync(join(project, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(process.cwd(), 'node_modules', name), join(project, 'node_modules', name));
  }
});

/** What TypeScript finds wrong with files of the project, by the file. */
function faultsOf(files: Readonly<Record<string, string>>, more: TypeScript.CompilerOptions): Record<string, string[]> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const options: TypeScript.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: [],
    ...more,
  };
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => project;
  const names = Object.keys(files).map((name) => join(project, name));
  const faults: Record<string, string[]> = {};
  for (const { file, messageText } of ts.getPreEmitDiagnostics(ts.createProgram(names, options, host))) {
    const name = file?.fileName.split('/').at(-1) ?? '';
    faults[name] = [...(faults[name] ?? []), ts.flattenDiagnosticMessageText(messageText, '\n')];
  }
  return faults;
}

const BROWSER = { lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] };
const NODE = { lib: ['lib.es2023.d.ts'], types: ['node'] };

/** What the examples of the documentation take for granted. */
const GIVEN = `import { createClient, type Schemas } from 'orgdesk-client';
const orgdesk = createClient({ baseUrl: 'http://127.0.0.1:3000', token: process.env.TOKEN });
declare const companyId: string;
declare const webhookId: string;
declare let kept: { cursor: string };
declare function inOneTransaction(changes: Schemas['Change'][], cursor: string): Promise<typeof kept>;
`;

/** The examples in TypeScript of a page, by a name for the file. */
function examplesOf(page: string): Record<string, string> {
  const blocks = [...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/^```ts\n(.*?)^```/gms)];
  assert.ok(blocks.length > 0, page);
  return Object.fromEntries(
    blocks.map(([, block = ''], index) => {
      const text = /createClient\(|client\/webhooks/.test(block) ? block : `${GIVEN}${block}`;
      return [`${page}-${index + 1}.ts`, `${text}\nexport {};\n`];
    }),
  );
}

describe('the package: its client', () => {
  it("the client package compiles with the documentation's examples in a plain Node project", () => {
    assert.deepEqual(faultsOf({ ...examplesOf('client'), ...examplesOf('api') }, NODE), {});
  });

  it('the client package compiles in a browser project, and unknown names and fields are type errors', () => {
    const begin = `import { createClient } from 'orgdesk-client';
      const orgdesk = createClient({ baseUrl: location.origin });\n`;
    const id = "'b3cb9b86-e923-4834-bb80-42f6e9b215da'";
    const faults = faultsOf(
      {
        'good.ts': `${begin} void orgdesk.post('/api/users/grant-role', { userId: ${id}, role: 'MANAGER' });`,
        'role.ts': `${begin} void orgdesk.post('/api/users/grant-role', { userId: ${id}, role: 'MANAGR' });`,
        'path.ts': `${begin} void orgdesk.get('/api/user/profile');`,
        'query.ts': `${begin} void orgdesk.get('/api/departments/list');`,
        'field.ts': `${begin} void orgdesk.post('/api/users/update', { id: ${id}, fristName: 'Ana' });`,
        'list.ts': `${begin} void orgdesk.list('/api/events/list');`,
        'writes.ts': `${begin} void orgdesk.get('/api/users/update-profile');`,
        'match.ts': `${begin} void orgdesk.post('/api/webhooks/update', { id: ${id} }, { ifMatch: '"1"' });`,
        'etag.ts': `${begin} void orgdesk.get('/api/companies/list').then(({ etag }) => etag);`,
      },
      BROWSER,
    );
    const wrong = ['role', 'path', 'query', 'field', 'list', 'writes', 'match', 'etag'].map((name) => `${name}.ts`);
    assert.deepEqual(Object.keys(faults).sort(), wrong.sort(), JSON.stringify(faults));
    assert.match(faults['role.ts']?.[0] ?? '', /"MANAGR"' is not assignable to type/);
  });

  it('the client package imports no other module, not even of Node', () => {
    const names = readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
    assert.ok(names.length >= 2);
    for (const name of names) {
      const text = readFileSync(join(installed, 'dist', name), 'utf8');
      const imported = [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g)].map(
        ([, from]) => from,
      );
      assert.deepEqual(
        imported.filter((from) => !from?.startsWith('./')),
        [],
        name,
      );
    }
    assert.doesNotMatch(readFileSync(join(installed, 'dist/client.js'), 'utf8'), /webhook-signature/);
  });

  it('the built client package lists, fails with ApiError and verifies webhooks, as ESM and CommonJS', async () => {
    const { resolve } = createRequire(join(project, 'index.js'));
    const load = (name: string) => import(pathToFileURL(resolve(name)).href);
    const { createClient, ApiError } = (await load('orgdesk-client')) as typeof import('../../src/client/client.ts');
    const webhooks = (await load('orgdesk-client/webhooks')) as typeof import('../../src/client/webhooks.ts');
    await using served = await serve({}, openDemoDatabase);
    const token = await served.api.tokenFor('super.admin@orgdesk.example');
    const client = createClient({ baseUrl: served.baseUrl, token });
    const names: string[] = [];
    for await (const { name } of client.list('/api/companies/list', { limit: 10 })) names.push(name);
    assert.ok(names.length > 20 && names.includes('Acme'));
    await assert.rejects(client.get('/api/users/get', { id: 'none' }), ApiError);
    const [secret, body] = [newSecret(), '{"type":"test"}'];
    const headers = signedHeaders('msg', Math.floor(Date.now() / 1000), body, [secret]);
    assert.equal(webhooks.verifyWebhook(body, headers, secret).id, 'msg');
    const required = createRequire(join(project, 'index.js'))(
      'orgdesk-client',
    ) as typeof import('../../src/client/client.ts');
    const { data } = await required
      .createClient({ baseUrl: served.baseUrl })
      .get('/api/countries/list', { search: 'ind' });
    assert.equal(data[0]?.name, 'India');
  });

  it('TypeScript finds the client package by every kind of module resolution', () => {
    const use = `import { createClient } from 'orgdesk-client';
      import { verifyWebhook } from 'orgdesk-client/webhooks';
      export const found = [createClient({ baseUrl: 'http://127.0.0.1' }), verifyWebhook];\n`;
    const { NodeNext, Node16, ESNext, CommonJS } = ts.ModuleKind;
    const { Bundler, Node10 } = ts.ModuleResolutionKind;
    const ways: TypeScript.CompilerOptions[] = [
      { module: NodeNext },
      { module: Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
      { module: ESNext, moduleResolution: Bundler },
      { module: CommonJS, moduleResolution: Node10, ignoreDeprecations: '6.0' },
    ];
    for (const way of ways) {
      assert.deepEqual(faultsOf({ 'esm.ts': use, 'common.cts': use }, { ...NODE, ...way }), {}, JSON.stringify(way));
    }
  });

  it('the client package has the version of the service and no dependencies', () => {
    const own = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    assert.equal(own.version, JSON.parse(readFileSync('package.json', 'utf8')).version);
    assert.deepEqual([own.dependencies, own.peerDependencies, own.scripts], [undefined, undefined, undefined]);
  });
});
