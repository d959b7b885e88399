import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { newUser, openDirectory } from '../scim/directory.ts';
import { listenLocally } from '../support/bare-app.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { runRunscope } from './runscope.ts';

const USAGE = `npm run long -- scim-suites [--okta FILE]... [--postman FILE]... [--newman FOLDER]
--okta     a test that Runscope exported: Okta-SCIM-20-SPEC-Test.json of Okta's developer pages
--postman  a collection of Postman, as Microsoft's SCIM reference code has one; needs newman
--newman   where that is; absent: among what npm has installed for all (npm install --global newman)
The suites are not kept here: fetch them where they are published. With both kinds, docs/results/scim-suites.md is written.`;

const RESULTS = 'docs/results/scim-suites.md';

/** What suites want and orgdesk does not do, on purpose: by the name of what falls. */
const ON_PURPOSE: readonly { falls: RegExp; why: string }[] = [
  {
    falls: /^Group patch add member/,
    why: 'a text instead of a list of members is refused (RFC 7643, section 4.2)',
  },
  { falls: /^Get all groups: Groups cleared/, why: 'the three groups of roles are always there' },
  { falls: /^Get group by id: Body contians user/, why: 'members are displayed by their names here, not as sent' },
  {
    falls: /^(?:Get User Filters: Body contians id1|Get user2 Check replace: Name is updated)/,
    why: 'displayName and name.formatted are made of the first and last name',
  },
  {
    falls: /^filter (?:eq and|starts with|greater than)/,
    why: 'texts in filters are quoted, as RFC 7644, section 3.4.2.2 has it',
  },
  {
    falls: /^(?:Get user attributes|Get user via attributes filter): Body contians User1 email/,
    why: 'what attributes names has no filter in it (RFC 7644, section 3.10)',
  },
  { falls: /^patch user omalley .*: Status code is 204/i, why: 'a PATCH of a person answers 200 with the person' },
  { falls: /^Get ServiceProviderConfig/, why: 'RFC 7644, section 4 calls it /ServiceProviderConfig' },
  { falls: /^Get empty Users/, why: 'it asks for /users: paths are compared with case' },
  {
    falls: /^Get Schemas: Body contians User Account/,
    why: 'the schemas describe what orgdesk keeps in its own words',
  },
  { falls: /response_time/, why: 'how fast this machine is tells nothing' },
];

/** Runs the suites that are named on a service of its own. Ends with 1 where something falls that is not on purpose. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      okta: { type: 'string', multiple: true },
      postman: { type: 'string', multiple: true },
      newman: { type: 'string' },
    },
  });
  const { okta = [], postman = [] } = values;
  const newman =
    values.newman ?? join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'newman');
  if (okta.length + postman.length === 0 || (postman.length > 0 && !existsSync(newman))) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 1;
    return;
  }
  await using api = await buildTestApp({ RATE_LIMIT_SCIM: '0' }, openTestDatabase);
  const port = await listenLocally(api.app);
  const lines: string[] = [];
  for (const file of okta) {
    const directory = await openDirectory(api, file);
    await directory.send('POST', '/Users', newUser());
    lines.push(...report(file, await runOkta(file, { port, key: directory.key })));
  }
  for (const file of postman) {
    const directory = await openDirectory(api, file);
    lines.push(...report(file, await runPostman(file, { port, key: directory.key }, newman)));
  }
  if (okta.length > 0 && postman.length > 0) writeFileSync(RESULTS, page(lines));
}

function page(lines: readonly string[]): string {
  return `# Other people's tests of SCIM

Command: \`npm run long -- scim-suites\` with the files named below. Machine: ${machineInWords()}. Each runs on a company of its own, as it is
published but for what only its own server knows: names and addresses that are no e-mail addresses have a host added, each
person has an \`externalId\` of their own, and the sign-in of Microsoft's sample server is left out.

${lines.join('\n').trimEnd()}
`;
}

interface Target {
  port: number;
  key: string;
}

interface Outcome {
  held: number;
  fallen: readonly { name: string; fault: string }[];
}

/** Prints what fell and is not on purpose. @returns lines for the page of results */
function report(file: string, { held, fallen }: Outcome): string[] {
  const explained = fallen.map((each) => ({
    ...each,
    why: ON_PURPOSE.find(({ falls }) => falls.test(each.name))?.why,
  }));
  const faults = explained.filter(({ why }) => why === undefined);
  for (const { name, fault } of faults) process.stdout.write(`✖ ${name}\n  ${fault}\n`);
  process.stdout.write(`${basename(file)}: ${held} held, ${fallen.length} fell, ${faults.length} not on purpose\n`);
  if (faults.length > 0) process.exitCode = 1;
  const rows = [...new Set(explained.map(({ why }) => why))].map((reason) => {
    const names = new Set(explained.filter(({ why }) => why === reason).map(({ name }) => name));
    return [reason ?? '**a fault**', [...names].join('; ')];
  });
  return [
    `## ${basename(file)}`,
    '',
    `${held} of ${held + fallen.length} assertions hold.`,
    '',
    ...(rows.length === 0 ? [] : [markdownTable(['why it falls', 'assertions'], rows), '']),
  ];
}

async function runOkta(file: string, { port, key }: Target): Promise<Outcome> {
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
  return { held: outcomes.length - fallen.length, fallen };
}

/**
 * The collection with a host behind names and addresses that are no e-mail addresses, in what is sent and in what is expected (orgdesk
 * signs people in by them), with an `externalId` of its own for each person, and without the sign-in of the server that it is made for.
 */
function adapted(collection: string, key: string): object {
  const text = collection
    .replace(/(userName(?:\\":\s*|\\",(?:\\r|\\n|\s)*\\"value\\":\s*|\)\.to\.eql\()\\")(\w+)/g, '$1$2@suite.example')
    .replace(/(\\"value\\":\s*\\"emailName\d+)/g, '$1@suite.example')
    .replace(/(externalId\\":\s*\\")[^\\]+/g, (_, before: string) => before + randomUUID())
    .replaceAll('{{token}}', key);
  const { item, ...rest } = JSON.parse(text) as { item: { name: string }[] };
  return { ...rest, item: item.filter(({ name }) => name !== 'Get Token') };
}

/** A process of its own: this one is the service that it asks. */
async function runPostman(file: string, { port, key }: Target, newman: string): Promise<Outcome> {
  const pairs = { Protocol: 'http', Server: '127.0.0.1', Port: `:${port}`, Api: 'scim/v2' };
  const environment = { values: Object.entries(pairs).map(([name, value]) => ({ key: name, value, enabled: true })) };
  const collection = adapted(readFileSync(file, 'utf8'), key);
  const program = fileURLToPath(new URL('newman.cjs', import.meta.url));
  const running = spawn(process.execPath, [program, newman], { stdio: ['pipe', 'pipe', 'inherit'] });
  running.stdin.end(JSON.stringify({ collection, environment }));
  const [stdout, [status]] = await Promise.all([text(running.stdout), once(running, 'exit')]);
  if (status !== 0) throw new Error(`newman did not run (${status})`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Outcome;
}

await main();
