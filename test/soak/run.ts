import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { headingOf, recordSection } from '../../bench/support/record-section.ts';
import { buildCommandLine, type Service } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startSigningProvider } from '../support/signing-provider.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { assertBounds, type Figures, figuresOf, processorTime } from './figures.ts';
import { soakModel } from './model.ts';
import { openShiftedClock } from './shifted-clock.ts';

/*
 * Faked hours on each database: in each of them people, a directory, HR and a booking engine send requests, webhooks are received, and now and
 * then the service is killed amid them. A model says what is there. Ends with 1 where it differs or a bound is passed.
 * `--minutes 5` of each database, an hour without it; `--database pglite` or `postgres` for one.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    database: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Number(values.minutes);
const KINDS = ['pglite', 'postgres'].filter((kind) => values.database === undefined || values.database === kind);
const HOUR = 3_600;
/** Hours between two imports, and in which a kill is due on average. */
const [IMPORT_EVERY, KILL_EVERY] = [6, 8];
const AUDIENCE = 'https://orgdesk.example/api';

/** The same numbers each time. */
let state = Number(values.seed);
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

for (const kind of KINDS) await soak(kind);

async function soak(kind: string): Promise<void> {
  using clock = openShiftedClock();
  await using commandLine = buildCommandLine();
  await using database = await openDatabase(kind, join(commandLine.folder, 'data'), clock.settings);
  await using provider = await startSigningProvider(AUDIENCE);
  await using steady = await startReceiver();
  await using failing = await startReceiver();
  failing.answer((response) => {
    response.statusCode = random() < 0.3 ? 500 : 200;
    response.end();
  });
  const settings = {
    ...database.settings,
    ...clock.settings,
    DATA_DIR: join(commandLine.folder, 'data'),
    OIDC_ISSUER: provider.issuer,
    TOKEN_AUDIENCE: AUDIENCE,
    TOKEN_ALGORITHM: 'ES256',
    WEBHOOK_PRIVATE_TARGETS: 'true',
    AUDIT_RETENTION: '7',
    LOG_LEVEL: 'warn',
    DATABASE_TIMEOUT: '30000',
    RATE_LIMIT_WRITES: '0',
  };
  let service: Service = await commandLine.serve(settings);
  const tokenOf = (email: string) => {
    const seconds = Math.floor(clock.now() / 1_000);
    return provider.token({
      sub: email.replace('@', ' at '),
      email,
      email_verified: true,
      iat: seconds,
      exp: seconds + 600,
    });
  };
  const model = await soakModel({ address: () => service.address, tokenOf, receivers: [steady.url, failing.url] });

  const all: Figures[] = [];
  const until = performance.now() + minutes * 60_000;
  let [hour, kills] = [0, 0];
  for (; performance.now() < until; hour++) {
    const [requests, used] = [model.requests(), processorTime(service.pid)];
    await model.hour(hour);
    if (hour % IMPORT_EVERY === 0) await model.importPeople(hour);
    const processor = (processorTime(service.pid) - used) / (model.requests() - requests);
    all.push(figuresOf(service.pid, settings.DATA_DIR, hour, processor));
    if (random() < 1 / KILL_EVERY) {
      const unanswered = model.sendAndForget();
      await service.kill('SIGKILL');
      await unanswered;
      service = await commandLine.serve(settings);
      kills++;
    }
    await model.check();
    clock.pass(HOUR);
  }
  const messages = () => new Set(steady.received.map(({ headers }) => headers['webhook-id'])).size;
  await waitUntil('the receivers', () => messages() >= model.events());
  const { code, stderr } = await service.kill('SIGTERM');
  assert.equal(code, 0, stderr);

  const sections = markdownTable(
    ['faked hour', 'memory, MB', 'descriptors', 'ms of processor a request', 'base, MB', 'log, MB'],
    all
      .filter((_, index) => index % Math.ceil(all.length / 12) === 0 || index === all.length - 1)
      .map(({ hour: at, memory, descriptors, processor, base, log }) => [
        String(at),
        memory.toFixed(0),
        String(descriptors),
        processor.toFixed(1),
        base.toFixed(0),
        log.toFixed(0),
      ]),
  );
  const text = [
    headingOf(kind),
    '',
    `Command: \`npm run long -- soak --minutes ${minutes} --database ${kind}\`. Machine: ${machineInWords()}.`,
    '',
    `${hour} faked hours, ${model.requests()} requests, ${kills} kills amid requests; ${model.summary()}; ` +
      `${steady.received.length} messages received, each change at least once. No difference to the model.`,
    '',
    sections,
  ].join('\n');
  process.stdout.write(`${text}\n\n`);
  assertBounds(all, model.events());
  recordSection(
    {
      path: 'docs/results/soak.md',
      head: '# A soak\n\nFaked hours with people, a directory, HR, a booking engine, webhooks and kills.',
      parts: ['pglite', 'postgres'],
    },
    text,
  );
}

interface OpenDatabase extends AsyncDisposable {
  settings: Readonly<Record<string, string>>;
}

/** Makes a database with the demo. A server has the clock of the service. */
async function openDatabase(
  kind: string,
  dataDir: string,
  clock: Readonly<Record<string, string>>,
): Promise<OpenDatabase> {
  if (kind === 'pglite') {
    await makeDataFolder(dataDir, 'demo');
    return { settings: {}, [Symbol.asyncDispose]: async () => undefined };
  }
  Object.assign(process.env, clock);
  const server = await startPostgresServer({ autovacuum: 'on' });
  for (const name of Object.keys(clock)) delete process.env[name];
  const templates = await makePostgresTemplates(server.url);
  return {
    settings: { DATABASE_URL: databaseUrl(server.url, `${templates.prefix}_demo`) },
    async [Symbol.asyncDispose]() {
      await templates[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
