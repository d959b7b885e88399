import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CommandUsage } from '../../src/commands/command.ts';
import { ALL_COMMANDS } from '../../src/commands/commands.ts';
import { SETTINGS } from '../../src/config/settings-table.ts';
import { buildCommandLine, type Ended, type Settings } from '../support/command-line.ts';
import { openBlankDatabase, testDatabaseKind } from '../support/test-database.ts';

const commandLine = buildCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

const COMMANDS = [
  'serve',
  'migrate',
  'import FOLDER',
  'export FOLDER',
  'plan FILE',
  'apply FILE',
  'template FOLDER',
  'backup FILE',
  'restore FILE',
  'token EMAIL',
  'audit export',
  'erase EMAIL_OR_ID',
  'forget-links',
  'geography export FOLDER',
  'key NAME',
  'check',
];
const unusedFolder = join(commandLine.folder, 'unused');

/** Runs a command that must be refused, in words for people, and gives these words. */
async function refusal(words: readonly string[], settings: Settings = {}): Promise<string> {
  const ended = await commandLine.run(words, { DATA_DIR: unusedFolder, ...settings });
  assert.deepEqual([ended.code, ended.stdout], [1, ''], `${words.join(' ')}: ${JSON.stringify(ended)}`);
  assert.doesNotMatch(ended.stderr, /^\s+at |Error:|Warning/m);
  return ended.stderr;
}

/** Runs each at the same time: what takes long is the start of Node. */
async function inOrder<Result>(cases: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  return Promise.all(cases.map((run) => run()));
}

test('serve and migrate refuse a data folder that is a file', async () => {
  const DATA_DIR = join(commandLine.folder, 'a file');
  writeFileSync(DATA_DIR, '');
  await using db = testDatabaseKind() === 'postgres' ? await openBlankDatabase() : undefined;
  const settings = { DATA_DIR, ...(db?.url && { DATABASE_URL: db.url }) };
  for (const message of await inOrder([['serve'], ['migrate']].map((words) => () => refusal(words, settings)))) {
    assert.ok(message.startsWith(`The data folder ${DATA_DIR} cannot be used: `), message);
  }
});

test('help lists every command and setting', async () => {
  const helps: Ended[] = await inOrder([['--help'], ['-h'], ['help']].map((words) => () => commandLine.run(words, {})));
  for (const { code, stdout, stderr } of helps) {
    assert.deepEqual([code, stderr], [0, '']);
    for (const command of COMMANDS) assert.match(stdout, new RegExp(`^  ${command} +\\w`, 'm'));
    const [, settings = ''] = stdout.split('described in docs/configuration.md:');
    assert.deepEqual(settings.match(/\w+/g), Object.keys(SETTINGS));
  }
});

test('--help of each command prints its usage and does nothing else', async () => {
  const helps = await inOrder(
    COMMANDS.map((command) => () => commandLine.run([...command.split(' ').slice(0, 1), '--help'], {})),
  );
  for (const [index, { code, stdout, stderr }] of helps.entries()) {
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^Usage: orgdesk ${COMMANDS[index]}( \\[.*\\])?\n\n[A-Z].*\\.\n`));
  }
  const [, , imports] = helps;
  assert.match(
    imports?.stdout ?? '',
    /^ {4}--dry-run +\w.*\n {4}--report FILE +\w.*\n {4}--company ID +\w.*\n {4}--choices FILE +\w.*\n {4}--leavers NUMBER +\w.*\n/m,
  );
  assert.equal(existsSync(join(commandLine.folder, '.data')), false);
});

test('--version prints the version of the package alone', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const words of [['--version'], ['serve', '--version']]) {
    const { code, stdout, stderr } = await commandLine.run(words, { PORT: 'wrong' });
    assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, '']);
  }
});

test('an unknown command, option or argument is refused with the usage', async () => {
  const cases: [words: string[], message: RegExp][] = [
    [[], /^Which command\?\n\nUsage: orgdesk COMMAND\n/],
    [['sevre'], /^There is no command sevre\..*Usage: orgdesk COMMAND\n/s],
    [['sevre', '--help'], /^There is no command sevre\..*Usage: orgdesk COMMAND\n/s],
    [['--port', '80'], /^Unknown option '--port'.*Usage: orgdesk COMMAND\n.*PORT/s],
    [['token'], /^Expected: orgdesk token EMAIL\n$/],
    [['token', ''], /^Expected: orgdesk token EMAIL\n$/],
    [
      ['import', 'a', 'b'],
      /^Expected: orgdesk import FOLDER \[--dry-run\] \[--report FILE\] \[--company ID\] \[--choices FILE\] \[--leavers NUMBER\](?: \[--[a-z-]+ [A-Z]+\])+\n$/,
    ],
    [['import', 'a', '--dry'], /^Unknown option '--dry'.*Usage: orgdesk COMMAND\n.*--dry-run/s],
    [
      ['import', 'a', '--report', ''],
      /^Expected: orgdesk import FOLDER \[--dry-run\] \[--report FILE\] \[--company ID\] \[--choices FILE\] \[--leavers NUMBER\](?: \[--[a-z-]+ [A-Z]+\])+\n$/,
    ],
    [['import', 'a', '--report'], /^Option '--report <value>' argument missing/],
    [['export', '--dry-run', 'a'], /^orgdesk export has no option --dry-run\. Expected: orgdesk export FOLDER\n$/],
    [['backup'], /^Expected: orgdesk backup FILE \[--force\]\n$/],
    [['restore', 'a', '--force'], /^orgdesk restore has no option --force\. Expected: orgdesk restore FILE\n$/],
    [['audit', 'exprot'], /^Expected: orgdesk audit export \[--from TIME\] \[--to TIME\]\n$/],
    [['serve', '3000'], /^Expected: orgdesk serve\n$/],
  ];
  const messages = await inOrder(
    cases.map(
      ([words]) =>
        () =>
          refusal(words),
    ),
  );
  for (const [index, message] of messages.entries()) assert.match(message, cases[index]?.[1] ?? /never/);
  assert.equal(existsSync(unusedFolder), false);
});

test('wrong settings are refused all at once, without their secrets, before anything is done', async () => {
  const wrong = { PORT: '-1', DEMO_DATA: 'maybe', JWT_SECRET: 'hunter2', DATABASE_URL: 'mysql://me:hunter2@x/y' };
  for (const message of await inOrder([['serve'], ['migrate']].map((words) => () => refusal(words, wrong)))) {
    for (const name of Object.keys(wrong)) assert.match(message, new RegExp(`^  ${name} .*: expected `, 'm'));
    assert.doesNotMatch(message, /hunter2/);
  }
  assert.equal(existsSync(unusedFolder), false);
});

const ARGUMENTS: Settings = { EMAIL: 'a@b.example', EMAIL_OR_ID: 'a@b.example' };
const onEmbeddedDatabase = ALL_COMMANDS.filter((command) => command.name !== 'serve' && !('run' in command));
const wordsOf = ({ name, parameters }: CommandUsage) => [
  name,
  ...parameters.map((parameter) => ARGUMENTS[parameter] ?? parameter),
];

test('every command except serve refuses a default data folder without a database', async () => {
  const folder = join(commandLine.folder, 'nowhere yet');
  mkdirSync(folder);
  const ended = await inOrder(
    onEmbeddedDatabase.map((command) => () => commandLine.run(wordsOf(command), {}, { folder })),
  );
  for (const { code, stderr } of ended) {
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^There is no database in ${join(folder, '.data')} yet: .*DATA_DIR.*\\n$`));
  }
  assert.deepEqual(readdirSync(folder), []);
});

test('a command that only reads or changes a database makes none in the named folder', async () => {
  const commands = onEmbeddedDatabase.filter((command) => !('makesDatabase' in command)).map(wordsOf);
  for (const words of [...commands, ['import', 'demo', '--dry-run'], ['migrate', '--dry-run']]) {
    assert.match(await refusal(words), new RegExp(`^There is no database in ${unusedFolder} yet: .*DATA_DIR`));
  }
  assert.equal(existsSync(unusedFolder), false);
});

test('check, export, plan, backup, token and audit alone are commands that write nothing', () => {
  const reading = onEmbeddedDatabase.filter((command) => !('writes' in command)).map(({ name }) => name);
  assert.deepEqual(reading, ['check', 'export', 'plan', 'backup', 'token', 'audit']);
});

test("--env-file reads settings from a file, below the environment's, and refuses malformed lines", async () => {
  const file = join(commandLine.folder, 'orgdesk.env');
  const run = async (text: string, settings: Settings = {}) => {
    writeFileSync(file, text);
    return refusal(['migrate', '--env-file', file], settings);
  };
  const address = 'postgres://a:b%23@127.0.0.1:1/of_the_file?sslmode=disable&connect_timeout=3';
  for (const given of [`'${address}'`, `"${address}"`, address]) {
    const message = await run(`\uFEFF# The database\r\nexport DATABASE_URL=${given}\r\nDEMO_DATA=false # no demo\n`);
    assert.match(message, /^The database server 127\.0\.0\.1:1\/of_the_file cannot be reached/);
  }
  const DATABASE_URL = 'postgres://a@127.0.0.1:1/of_the_environment';
  assert.match(await run(`DATABASE_URL='${address}'`, { DATABASE_URL }), /127\.0\.0\.1:1\/of_the_environment cannot/);
  for (const [text, expected] of [
    ['DEMO_DATA=maybe', /DEMO_DATA is "maybe": expected/],
    [`DATABASE_URL='${address}`, /expected the value of DATABASE_URL to end with the quote that it begins with/],
    ['JWT_SECRET=a#b', /expected quotes around the value of JWT_SECRET, as it has a #/],
    ['# nothing', /expected lines such as PORT=3000/],
    ['A="1\n2"\n\nDATABASE_URL: postgres://a@b/c', /line 4: expected NAME=VALUE/],
    ['DATABASE-URL=postgres://a@b/c', /line 1: expected NAME=VALUE/],
    ['DEMO_DATA=false\n; no comment', /line 2: expected NAME=VALUE/],
  ] as const) {
    assert.match(await run(text), expected);
  }
  // Node.js 20 reads the option itself, and ends with 9.
  const { code, stderr } = await commandLine.run(['migrate', '--env-file', join(commandLine.folder, 'no file')], {});
  assert.ok(code === 1 || code === 9);
  assert.match(stderr, /no file: (?:not found|expected a file that can be read \(ENOENT.*\)\.)\n$/);
});

if (testDatabaseKind() === 'postgres') {
  test('a command with an unusable database server reports which one and why, without the password', async () => {
    await using db = await openBlankDatabase();
    const address = new URL(db.url ?? '');
    const changed = (change: Partial<URL>) => Object.assign(new URL(address), change).href;
    const closed = changed({ port: '1', password: 'hunter2' });
    // A backup that is to be restored is read first, and so are a file of configuration, the scopes of a key and the address of an admin. A check says more, and the
    // service waits.
    const others = [
      'serve',
      'restore FILE',
      'plan FILE',
      'apply FILE',
      'template FOLDER',
      'key NAME',
      'admin EMAIL',
      'check',
      'geography export FOLDER',
    ];
    const everyCommand = COMMANDS.filter((command) => !others.includes(command)).map(
      (command): [string[], string, RegExp] => [
        command.split(' '),
        closed,
        /^The database server 127\.0\.0\.1:1\/\w+ cannot be reached \(ECONNREFUSED\)/,
      ],
    );
    const cases: [words: string[], url: string, message: RegExp][] = [
      ...everyCommand,
      [
        ['migrate'],
        changed({ hostname: 'nowhere.invalid', password: 'hunter2' }),
        /cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/,
      ],
      [['serve'], changed({ password: 'hunter2' }), /refuses: password authentication failed/],
      [['serve'], changed({ pathname: '/no_such_database' }), /refuses: database "no_such_database" does not exist/],
    ];
    const messages = await inOrder(
      cases.map(
        ([words, DATABASE_URL]) =>
          () =>
            refusal(words, { DATABASE_URL }),
      ),
    );
    for (const [index, message] of messages.entries()) {
      assert.match(message, cases[index]?.[2] ?? /never/);
      assert.ok(!message.includes('hunter2') && !message.includes(address.password));
    }
  });

  test('token on a database without a schema is refused with what to do', async () => {
    await using db = await openBlankDatabase();
    assert.match(
      await refusal(['token', 'a@b.example'], { DATABASE_URL: db.url ?? '' }),
      /no schema yet: start the service/,
    );
  });
}
