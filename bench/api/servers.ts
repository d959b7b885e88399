import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildServer, startServer } from '../support/child-server.ts';
import type { LogLevel } from '../support/log-levels.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { JWT_SECRET } from './data.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface NamedServer {
  name: string;
  server: ChildServer;
}

/** @param folder holds its data folder and its log */
export async function startAtLevel(level: LogLevel, databaseUrl: string, folder: string): Promise<NamedServer> {
  const env = { DATABASE_URL: databaseUrl, JWT_SECRET, LOG_LEVEL: level };
  return { name: `orgdesk at ${level}`, server: await startOrgdesk(join(folder, level), { env }) };
}

/** @param callers a file that holds them */
export async function startBare(databaseUrl: string, callers: string): Promise<NamedServer> {
  const command = ['--import', 'tsx', join(ROOT, 'bench/api/bare-server.ts'), callers];
  const server = await startServer('The bare server', command, { env: { DATABASE_URL: databaseUrl } });
  return { name: 'the bare server', server };
}
