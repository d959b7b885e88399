import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { installOwnPackages } from './own-packages.ts';

/*
 * Runs one of the long tests or benchmarks by its name, with further arguments: `npm run long -- limits --percent 10`,
 * `npm run bench -- api --small`. Without a name it lists them.
 */
interface Task {
  /** The program, below `test/` or `bench/`; absent: `NAME/run.ts`. */
  readonly program?: string;
  /** Arguments before the given ones. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly options?: readonly string[];
  /** Whether the built program takes part: `npm run build` comes first. */
  readonly built?: true;
  /** Folders with packages that it needs and `npm ci` does not bring. */
  readonly own?: readonly string[];
  readonly takes: string;
  readonly text: string;
}

/** What runs test files starts many processes, each for a short time. */
const BRIEF = ['--liftoff-only', '--disable-warning=ExperimentalWarning'];

const KINDS: Readonly<Record<string, { folder: string; tasks: Readonly<Record<string, Task>> }>> = {
  long: {
    folder: 'test',
    tasks: {
      browser: {
        own: ['test/browser'],
        takes: '10 min',
        text: 'the built console in Chromium (apt-get install -y chromium-headless-shell), its pages in Firefox and WebKit too; PART OF A NAME for some files',
      },
      embedded: {
        program: 'run.ts',
        before: ['--all', '--database', 'pglite'],
        options: BRIEF,
        takes: '½ h',
        text: 'everything on the embedded database: before a release',
      },
      node: {
        takes: '3 min',
        text: 'the packed program under Node 20, 22, 24 and 26, installed as strictly as npm can; 26 for one of them',
      },
      release: {
        built: true,
        own: ['test/release'],
        takes: '3 min',
        text: 'what a release publishes, to a registry on loopback: installed by name under Node 20.19, 22 and 24, the tour, the upgrade of a data folder of 0.3.0; the Python client from an index; 22 for one of them',
      },
      clone: {
        takes: '5 min',
        text: 'a clone of the last commit, by the commands of the README alone, within 1 GB of memory (1.3 GB under 24; cgroups, as root), under Node 20.19, 22, 24 and 26; 24 for one of them',
      },
      container: {
        takes: '8 min',
        text: 'the image: built, run without rights, stopped, killed; as root, by Docker or apt-get install -y buildah podman debootstrap runc',
      },
      deploy: {
        own: ['test/browser'],
        takes: '1 min',
        text: 'deploy/ and compose files by Helm, promtool, systemd-analyze and schemas; the documented nginx and HAProxy (Debian)',
      },
      examples: {
        takes: '1 min',
        text: 'the programs of examples/ on the built service; that in Python if FastAPI is there or can be installed (Debian)',
      },
      clients: {
        takes: '3 min',
        text: 'all rules of Spectral and OWASP; clients of seven generators compile and read the service; newman sends the collection through Prism; orgdesk-client packed and installed, and for Python; JSON::Validator reads 3.0 (Debian)',
      },
      contract: {
        takes: '2 min',
        text: '20,000 requests generated from the contract by every kind of caller, half of them with one violation; --seed 1 --requests 2000',
      },
      upgrade: {
        takes: '3 min',
        text: 'the schema of the first version, with a million bookings, to this one, while its statements run',
      },
      beside: {
        program: 'upgrade/beside.ts',
        takes: '5 min',
        text: 'the previous release beside the new schema: an instance of it during the upgrade, then its own tests; --only scim for some',
      },
      geography: {
        takes: '2 min',
        text: 'what is typed into a form of the geography and what comes first, in figures: names in official frames, a city and more, scripts',
      },
      hostile: { takes: '30 min', text: 'attacks at full size on the built service (Linux), then limits' },
      limits: {
        takes: '15 min',
        text: 'what one caller can do to others within the limits, on both databases, after npm run build; --only names --percent 10 --people 5000 --seconds 10 for less',
      },
      hosts: {
        takes: '2 min',
        text: 'every operation on PostgreSQL 15 to 18 (from npm, kept in HOSTS_FOLDER) and under each setting of sessions, with equal answers; 15 16 for some versions',
      },
      faults: {
        takes: '2 h',
        text: 'failing databases, a full disk, killed services, cut power, the keeper of the embedded database, too little memory (cgroups, as root), pauses, IPv6, logical replication; --only disk for one part',
      },
      soak: {
        takes: '2 h',
        text: 'faked hours on both databases, with kills, a model and bounds (Linux, a C compiler): an hour of each; --minutes 5 --database pglite for less',
      },
      failover: {
        takes: '20 min',
        text: 'PostgreSQL under Patroni, leaders killed (Linux, packages of Debian that it names)',
      },
      pgbouncer: { takes: '2 min', text: 'PgBouncer in transaction mode' },
      replica: { takes: '2 min', text: 'a streaming replica' },
      administration: {
        program: 'administration/long/run.ts',
        takes: '30 min',
        text: 'concurrent administration, lost answers, 10,000 random operations',
      },
      provisioning: {
        takes: '25 min',
        text: 'keys that end during requests, 200 followers, kills, secrets, joiners, bookings; --only ends --seconds 30 for less',
      },
      'scim-suites': {
        takes: '1 min',
        text: 'SCIM suites of others, whose files you download: --okta FILE --postman FILE; the results list intentional differences',
      },
      webhooks: {
        takes: '50 min',
        text: 'senders killed during deliveries, 100 webhooks under load, 1,000 that fail; --only load --seconds 30 for less',
      },
      feed: {
        program: 'run.ts',
        before: ['change-feed.long'],
        options: BRIEF,
        env: { FEED_SECONDS: '60' },
        takes: '2 min',
        text: 'eight writers and three followers of the change feed',
      },
      mutations: {
        options: BRIEF,
        takes: '20 min',
        text: 'rules of test/mutations, each broken on purpose in the sources and restored: the tests notice; PART OF A RULE for some',
      },
      screenshots: {
        program: 'browser/screenshots.ts',
        own: ['test/browser'],
        takes: '1 min',
        text: 'the pictures of docs/console',
      },
    },
  },
  bench: {
    folder: 'bench',
    tasks: {
      api: {
        built: true,
        takes: 'minutes',
        text: 'rates compared with a bare server that sends the same statements; --small --only profile for less',
      },
      geography: {
        built: true,
        takes: 'minutes',
        text: 'rates compared with a bare server that sends the same bytes; --small for less',
      },
      plans: {
        built: true,
        takes: '10 min',
        text: "the plan of each statement; --users 1000000 --rates: SCIM's userName eq compared with profile views over HTTP",
      },
      organisation: {
        takes: '4 min',
        text: 'approvals and spending in a company of 130,000 people and a million bookings',
      },
      spending: {
        takes: '1 min',
        text: 'spending of a company with 100,000 bookings by every group, on both databases',
      },
      fields: {
        takes: '2 min',
        text: 'lists of 100,000 people with 20 fields of one’s own by one of them, and by department',
      },
      import: { built: true, takes: '½ h', text: 'imports compared with a bare COPY; --api: people by the API' },
      audit: { takes: 'minutes', text: 'what the trail costs an update' },
      counts: { takes: 'minutes', text: 'what counting users and bookings costs writers and lists' },
      blocking: {
        built: true,
        takes: 'minutes',
        text: 'how long the largest request of each operation holds up the others',
      },
      observability: { takes: 'minutes', text: 'what metrics and spans cost a request' },
      console: {
        built: true,
        own: ['test/browser'],
        takes: 'minutes',
        text: 'from a press to the picture, in Chromium on a slow processor',
      },
      data: {
        takes: 'minutes',
        text: 'fills the database of DATABASE_URL with companies, users and bookings; --companies, --users, --bookings for less',
      },
    },
  },
};

const [kind = '', name, ...given] = process.argv.slice(2);
const { folder, tasks } = KINDS[kind] ?? { folder: '', tasks: {} };
const task = tasks[name ?? ''];
if (task === undefined) {
  const lines = Object.entries(tasks).map(([each, { takes, text }]) => `  ${each.padEnd(15)}${takes.padEnd(8)}${text}`);
  process.stdout.write(`npm run ${kind} -- NAME [ARGUMENT]...\n\n${lines.join('\n')}\n`);
  if (name !== undefined) process.exitCode = 1;
} else {
  const { program = `${name}/run.ts`, before = [], env, options = [], built, own = [] } = task;
  for (const packages of own) installOwnPackages(packages);
  const steps: [string, string[]][] = [
    ...(built ? [['npm', ['run', '--silent', 'build']] satisfies [string, string[]]] : []),
    [process.execPath, ['--import', 'tsx', ...options, `${folder}/${program}`, ...before, ...given]],
  ];
  for (const [command, parameters] of steps) {
    if (process.exitCode) break;
    const child = spawn(command, parameters, { stdio: 'inherit', env: { ...process.env, ...env } });
    // The terminal sends its signals to the child too, which ends in its own way.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  }
}
