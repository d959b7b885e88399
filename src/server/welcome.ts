import type { Logger } from 'pino';
import type { Context } from '../app/context.ts';
import type { Config } from '../config/config.ts';
import type { Reader } from '../db/database.ts';
import { findDemoPeople } from '../features/console/demo-people.ts';
import { demoSignIns } from '../features/console/sign-in-options.ts';
import { PROGRAM } from '../lib/program.ts';

/** The command that runs the program: its name if installed as a package, otherwise the script of the clone. */
const COMMAND = import.meta.url.includes('/node_modules/') ? 'orgdesk' : 'npm run --silent orgdesk --';

/** Logs the version that starts. Called once the preparation has succeeded or waits for the database. */
export function logVersion(log: Logger): void {
  log.info({ ...PROGRAM, node: process.version }, 'Starting');
}

/** Returns the text printed when the service listens without its database. @param reason for people */
export function waitingText(address: string, reason: string): string {
  return `${reason}\norgdesk serves the public lists at ${address}, and goes on trying: everything else is a 503 until then.`;
}

interface Welcome {
  hasConsole: boolean;
  hasDemoPeople: boolean;
  /** The URL of the metrics; undefined if they are off. */
  metricsUrl: string | undefined;
  /** Demo people with a token for a sign-in link. */
  signIns: readonly { email: string; token: string }[];
  /** What CORS_ORIGINS means for their sign-in. */
  corsNote: string | undefined;
}

/** Returns the text printed after the start: what to open, and what to try. It waits for a busy database. */
export function welcome(
  context: Context,
  address: string,
  shown: Pick<Welcome, 'hasConsole' | 'metricsUrl'>,
): Promise<string> {
  return context.db.session((db) => welcomeOf({ ...context, db }, address, shown));
}

async function welcomeOf(
  context: Omit<Context, 'db'> & { db: Reader },
  address: string,
  shown: Pick<Welcome, 'hasConsole' | 'metricsUrl'>,
): Promise<string> {
  const signIns = shown.hasConsole ? await demoSignIns(context) : [];
  const hasDemoPeople = (await findDemoPeople(context.db)).length > 0;
  const { corsOrigins } = context.config;
  let corsNote: string | undefined;
  if (signIns.length > 0 && corsOrigins.length > 0) {
    corsNote = `Pages of ${corsOrigins.join(', ')} may call the API with a token (CORS_ORIGINS); the links still work.`;
  } else if (shown.hasConsole && corsOrigins.includes('*')) {
    const others = { ...context, config: { ...context.config, corsOrigins: [] } };
    if ((await demoSignIns(others)).length > 0) {
      corsNote = 'CORS_ORIGINS=* takes the sign-in of demo people away: name your origins, and it stays.';
    }
  }
  return welcomeText(context.config, address, { ...shown, signIns, hasDemoPeople, corsNote });
}

function welcomeText(
  { databaseUrl, dataDir, identityProvider, jwtSecret, tokenLifetime }: Config,
  address: string,
  { hasConsole, hasDemoPeople, metricsUrl, signIns, corsNote }: Welcome,
): string {
  const end = new Date(Date.now() + tokenLifetime * 1_000).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const where = databaseUrl === undefined ? `embedded PostgreSQL in ${dataDir}` : 'PostgreSQL server';
  const token = (email: string) => (identityProvider ? '$ACCESS_TOKEN' : `$(${COMMAND} token ${email})`);
  const asUser = (email: string, path: string) => `curl -H "Authorization: Bearer ${token(email)}" ${address}${path}`;
  return [
    `orgdesk is ready at ${address} (${where}).`,
    '',
    ...(identityProvider ? [`  Access tokens     from ${identityProvider.issuer}`] : []),
    ...(databaseUrl !== undefined && !identityProvider && jwtSecret === undefined
      ? [`  Access tokens     signed by the key in ${dataDir}, of this machine alone: JWT_SECRET is for several`]
      : []),
    ...(hasConsole ? [`  Open the console  ${address}`] : []),
    `  Read the API      ${address}/docs`,
    ...(metricsUrl === undefined ? [] : [`  Read the metrics  ${metricsUrl}`]),
    `  Search cities     curl '${address}/api/cities/list?search=bogota'`,
    ...(hasDemoPeople
      ? [
          `  See a profile     ${asUser('employee@acme.example', '/api/users/profile')}`,
          `  See companies     ${asUser('super.admin@orgdesk.example', '/api/companies/list')}`,
          '',
          '  Demo people: super.admin@orgdesk.example, platform.rm@orgdesk.example, admin@acme.example, manager@acme.example,',
          '  employee@acme.example, inactive@acme.example (deactivated), admin@globex.example',
          ...(signIns.length > 0
            ? ['', `  Open the console as one of them. Each link holds a token until ${end}:`]
            : []),
          ...signIns.map(({ email, token }) => `  ${email}\n    ${address}/#token=${token}`),
          ...(corsNote === undefined ? [] : ['', `  ${corsNote}`]),
        ]
      : [
          `  A Super Admin     ${COMMAND} admin EMAIL`,
          `  Load companies    ${COMMAND} import FOLDER`,
          `  See a profile     ${asUser('EMAIL', '/api/users/profile')}`,
        ]),
    '',
    '  Ctrl+C stops it.',
  ].join('\n');
}
