import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLEAN, npm } from '../node/installed-program.ts';
import { freePort } from '../support/free-port.ts';
import { AUDIENCE, startIdentityProvider } from '../support/identity-provider.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findProgram, temporaryFolders } from './proxies.ts';

const execute = promisify(execFile);

const PAGE = 'docs/deployment.md';
const ADMIN = { sub: 'asha', email: 'asha.rao@example.com', email_verified: true };

/** Programs that run as they are installed here. */
const AS_THEY_ARE = ['cp', 'install'];

/** The programs of the system, behind those of the page. */
const WITH_SYSTEM = 'PATH=$PATH:/usr/local/bin:/usr/sbin:/usr/bin:/bin';

/**
 * What stands for the programs that need root, the internet or systemd. Nothing else is found but {@link AS_THEY_ARE} and what the page
 * installs: another command fails, until it is here.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  // PostgreSQL and nginx are those of the tests.
  'apt-get': '[[ "$*" = update || "$*" = "install --yes certbot curl nginx nodejs npm postgresql" ]]',
  // Into a folder of the test.
  npm: `${WITH_SYSTEM}; exec "$NODE" "$NPM" "$@"`,
  node: 'exec "$NODE" "$@"',
  // Everybody is who runs the test.
  runuser: '[[ "$1 $2 $3" = "-u postgres --" ]]; shift 3; exec "$@"',
  useradd: '[[ "$*" = "--system orgdesk" ]]',
  // By statements, and whoever is asked for a password types that of the page. A Debian without LANG has SQL_ASCII.
  createuser: '[[ $# = 2 && "$1" = --pwprompt ]]; exec "$NODE" "$SQL" "create role $2 login password \'PASSWORD\'"',
  createdb: `
    owner=postgres template=template1 encoding=SQL_ASCII
    while [[ $# -gt 1 ]]; do
      case "$1" in --owner) owner=$2 ;; -T) template=$2 ;; -E) encoding=$2 ;; *) exit 1 ;; esac
      shift 2
    done
    exec "$NODE" "$SQL" "create database $1 owner $owner template $template encoding '$encoding' locale 'C'"`,
  // Starts what the unit starts, with its variables and those of its file.
  systemctl: `
    if [[ "$*" = "reload nginx" ]]; then exec nginx &> "$ROOT/nginx.log"; fi
    [[ "$*" = "enable --now orgdesk" ]]
    unit=$(< "$ROOT/etc/systemd/system/orgdesk.service")
    setting() { [[ $unit =~ $'\\n'"$1="([^$'\\n']*) ]]; echo "\${BASH_REMATCH[1]}"; }
    file=$(setting EnvironmentFile)
    variables="$(setting Environment) DATA_DIR=$ROOT/var/lib/orgdesk PORT=$SERVICE_PORT"
    /usr/bin/env -i PATH="$PATH" NODE="$NODE" $variables /bin/bash -c 'set -a; . "$0"; exec "$@"' \\
      "$ROOT\${file#-}" $(setting ExecStart) > "$ROOT/service.log" 2>&1 &
    echo $! > "$ROOT/service.pid"`,
  nginx: 'LD_LIBRARY_PATH=$PROXY_LIBRARIES exec "$PROXY" -e stderr -p "$ROOT" -c "$ROOT/etc/nginx/nginx.conf" "$@"',
  // The certificate is its own authority.
  certbot: `
    ${WITH_SYSTEM}
    [[ "$1 $2 $3 $4 $5 $7 $8" = "certonly --webroot --webroot-path /var/www/html --domain --deploy-hook systemctl reload nginx" ]]
    folder=$ROOT/etc/letsencrypt/live/$6
    mkdir -p "$folder"
    exec openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2 -subj "/CN=$6" \\
      -addext "subjectAltName=DNS:$6" -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2> "$ROOT/openssl.log"`,
  // The name of the page leads to its proxy.
  curl: `
    certificate=$ROOT/etc/letsencrypt/live/orgdesk.example/fullchain.pem
    if [[ -e $certificate ]]; then
      set -- --cacert "$certificate" --connect-to "orgdesk.example:443:127.0.0.1:$TLS_PORT" "$@"
    fi
    exec "$CURL" --silent --show-error "$@"`,
};

/**
 * Runs the commands of the first hour in docs/deployment.md one after the other and writes its files, on a database server of its own; then signs the first Super
 * Admin in by the provider.
 *
 * @param programs a folder for what is not installed
 * @returns how many commands the page has
 */
export async function checkFirstHour(programs: string): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'orgdesk-first-hour-'));
  try {
    await using server = await startPostgresServer();
    await using provider = await startIdentityProvider(['https://orgdesk.example/']);
    const [servicePort, tlsPort] = [await freePort(), await freePort()];
    const nginx = findProgram('nginx', programs);
    const env = {
      ...CLEAN,
      PATH: `${root}/bin:${root}/usr/bin`,
      HOME: root,
      npm_config_prefix: `${root}/usr`,
      ROOT: root,
      NODE: process.execPath,
      NPM: process.env.npm_execpath,
      CURL: pathOf('curl'),
      PROXY: nginx.libraries === '' ? pathOf(nginx.program) : nginx.program,
      PROXY_LIBRARIES: nginx.libraries,
      SQL: `${root}/sql.mjs`,
      SERVICE_PORT: String(servicePort),
      TLS_PORT: String(tlsPort),
    };
    const run = async (command: string) => {
      try {
        return (await execute('/bin/bash', ['--norc', '-euo', 'pipefail', '-c', command], { cwd: root, env })).stdout;
      } catch (cause) {
        const log = join(root, 'service.log');
        const { stdout, stderr } = cause as { stdout: string; stderr: string };
        const written = existsSync(log) ? readFileSync(log, 'utf8') : '';
        throw new Error(`${PAGE}: ${command}\n${stdout}${stderr}${written}`, { cause });
      }
    };
    // What is elsewhere than on a machine of one's own.
    const places: Readonly<Record<string, string>> = {
      '127.0.0.1:5432': new URL(server.url).host,
      '127.0.0.1:3000': `127.0.0.1:${servicePort}`,
      'listen 443': `listen 127.0.0.1:${tlsPort}`,
      'https://id.example/realm': provider.issuer,
      ' /etc/': ` ${root}/etc/`,
    };
    const placed = (text: string) =>
      Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, () => to), text);

    setUp(root, server.url);
    await npm(process.execPath, ['pack', '--pack-destination', root], process.cwd());
    let commands = 0;
    for (const { language, file, text } of blocks()) {
      if (language !== 'sh') writeFileSync(join(root, file), placed(text));
      else {
        const lines = text.trim().split('\n');
        for (const command of lines) await run(placed(command));
        commands += lines.length;
      }
    }
    assert.equal(statSync(join(root, 'etc/orgdesk.env')).mode & 0o777, 0o600);
    const { accessToken } = await provider.signIn(ADMIN, AUDIENCE);
    const profile = await run(
      `curl --fail -H 'Authorization: Bearer ${accessToken}' https://orgdesk.example/api/users/profile`,
    );
    assert.match(profile, /"email":"asha\.rao@example\.com"/);
    assert.match(profile, /"SUPER_ADMIN"/);
    return commands;
  } finally {
    await stopWhatRuns(root);
    rmSync(root, { recursive: true, force: true });
  }
}

/** Returns the blocks of that section in their order. What is no command is a file, which the line before it names. */
function blocks(): { language: string; file: string; text: string }[] {
  const [, section = ''] = /^## The first hour in production\n(.*?)^## /ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const found = [...section.matchAll(/(?<=^(.*)\n\n)```(\w+)\n([\s\S]*?)^```$/gm)];
  assert.equal(2 * found.length, section.match(/^```/gm)?.length);
  return found.map(([, before = '', language = '', text = '']) => {
    const file = /^Write into `(\/etc\/\S+)`:$/.exec(before)?.[1] ?? '';
    assert.ok(language === 'sh' || file !== '', `${PAGE} names no file for its block of ${language}`);
    return { language, file, text };
  });
}

/** Makes the folders of the machine, its programs, and the configuration that nginx has as it comes. */
function setUp(root: string, databaseUrl: string): void {
  for (const folder of ['bin', 'etc/nginx/conf.d', 'etc/systemd/system', 'temporary', 'usr/lib', 'var/lib'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of AS_THEY_ARE) symlinkSync(pathOf(name), join(root, 'bin', name));
  for (const [name, script] of Object.entries(STAND_INS))
    writeFileSync(join(root, 'bin', name), `#!/bin/bash\nset -euo pipefail\n${script}\n`, { mode: 0o755 });
  const driver = import.meta.resolve('postgres');
  const statement = 'await sql.unsafe(process.argv[2]);\nawait sql.end();\n';
  writeFileSync(
    join(root, 'sql.mjs'),
    `import postgres from '${driver}';\nconst sql = postgres('${databaseUrl}');\n${statement}`,
  );
  writeFileSync(
    join(root, 'etc/nginx/nginx.conf'),
    `pid nginx.pid; events {}\nhttp { access_log off; ${temporaryFolders('temporary/')} include conf.d/*.conf; }\n`,
  );
}

function pathOf(program: string): string {
  return execFileSync('which', [program], { encoding: 'utf8' }).trim();
}

async function stopWhatRuns(root: string): Promise<void> {
  for (const name of ['service.pid', 'nginx.pid']) {
    const file = join(root, name);
    if (!existsSync(file)) continue;
    const pid = Number(readFileSync(file, 'utf8'));
    const isThere = () => existsSync(`/proc/${pid}`);
    if (!isThere()) continue;
    process.kill(pid, 'SIGTERM');
    await waitUntil(`the end of ${name}`, () => !isThere());
  }
}
