import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { newUser, openDirectory } from '../scim/directory.ts';
import { listenLocally } from '../support/bare-app.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { runRunscope } from './runscope.ts';

const USAGE = `npm run test:scim-suites -- [--okta FILE]... [--postman FILE]...
--okta     a test that Runscope exported: Okta-SCIM-20-SPEC-Test.json of Okta's developer pages
--postman  a collection of Postman, as Microsoft's SCIM reference code has one; needs newman (npm install --global newman)
The suites are not kept here: fetch them where they are published.`;

/** What suites want and orgdesk does not do, on purpose: by a part of the name of what falls. */
const ON_PURPOSE: readonly { falls: RegExp; why: string }[] = [
  { falls: /group/i, why: 'groups are the roles of the company: none is made, renamed or removed' },
  { falls: /displayName|formatted/i, why: 'both are made of the first and last name' },
  { falls: /empty (?:users|groups)/i, why: 'a company has people, and three groups' },
  { falls: /country|locality|region/i, why: 'of an address the street and the postal code are kept' },
  {
    falls: /filter eq and|filter starts|filter greater/i,
    why: 'texts in filters are quoted, as RFC 7644 has it; meta.created is not searched',
  },
  { falls: /204/, why: 'a PATCH of a person answers 200 with the person' },
  { falls: /response_time/, why: 'how fast this machine is tells nothing' },
];

/** Runs the suites that are named on a service of its own; what falls and is not on purpose fails. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { okta: { type: 'string', multiple: true }, postman: { type: 'string', multiple: true } },
  });
  const { okta = [], postman = [] } = values;
  if (okta.length + postman.length === 0) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 1;
    return;
  }
  await using api = await buildTestApp({ RATE_LIMIT_USER: '0' }, openTestDatabase);
  const directory = await openDirectory(api, 'Suites');
  const port = await listenLocally(api.app);
  await directory.send('POST', '/Users', newUser());
  const target = { port, key: directory.key };
  let failed = 0;
  for (const file of okta) failed += await runOkta(file, target);
  for (const file of postman) failed += runPostman(file, target);
  process.exitCode = failed > 0 ? 1 : 0;
}

interface Target {
  port: number;
  key: string;
}

/** Reports what fell. @returns how much of it is not on purpose */
function report(suite: string, held: number, fallen: readonly { name: string; fault: string }[]): number {
  let failed = 0;
  for (const { name, fault } of fallen) {
    const why = ON_PURPOSE.find(({ falls }) => falls.test(name))?.why;
    if (why === undefined) failed += 1;
    process.stdout.write(why === undefined ? `✖ ${name}\n  ${fault}\n` : `- ${name}: on purpose, ${why}\n`);
  }
  process.stdout.write(`${suite}: ${held} held, ${fallen.length} fell, ${failed} of these not on purpose\n`);
  return failed;
}

async function runOkta(file: string, { port, key }: Target): Promise<number> {
  const tag = randomUUID().slice(0, 8);
  const variables = new Map([
    ['SCIMBaseURL', `http://127.0.0.1:${port}/scim/v2`],
    ['auth', `Bearer ${key}`],
    ['InvalidUserEmail', `nobody.${tag}@suite.example`],
    ['UserIdThatDoesNotExist', '010101001010101011001010101011'],
    ['randomEmail', `mail.${tag}@suite.example`],
    ['randomUsername', `login.${tag}@suite.example`],
    ['randomUsernameCaps', `LOGIN.${tag.toUpperCase()}@SUITE.EXAMPLE`],
    ['randomGivenName', 'Runscope'],
    ['randomFamilyName', tag],
  ]);
  const outcomes = await runRunscope(JSON.parse(readFileSync(file, 'utf8')), variables);
  const fallen = outcomes.flatMap(({ name, fault }) => (fault === undefined ? [] : [{ name, fault }]));
  return report(file, outcomes.length - fallen.length, fallen);
}

/** Names of people that are no e-mail addresses become some: orgdesk signs people in by them. */
function withAddresses(collection: string): string {
  return collection.replace(/(userName\\*"\s*:\s*\\*")([\w{}]+)(\\*")/gi, '$1$2@suite.example$3');
}

function runPostman(file: string, { port, key }: Target): number {
  const pairs = { Protocol: 'http', Server: '127.0.0.1', Port: `:${port}`, Api: 'scim/v2', token: key };
  const environment = { values: Object.entries(pairs).map(([name, value]) => ({ key: name, value, enabled: true })) };
  const collection = JSON.parse(withAddresses(readFileSync(file, 'utf8')));
  collection.auth = { type: 'bearer', bearer: [{ key: 'token', value: key, type: 'string' }] };
  const root = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' }).stdout.trim();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('newman.cjs', import.meta.url)), `${root}/newman`],
    { encoding: 'utf8', input: JSON.stringify({ collection, environment }), maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`newman did not run: ${stderr.slice(0, 1_000)}\n${USAGE}`);
  const { held, fallen } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as {
    held: number;
    fallen: { name: string; fault: string }[];
  };
  return report(file, held, fallen);
}

await main();
