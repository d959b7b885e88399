import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildServer, startServer } from '../support/child-server.ts';
import type { LogLevel } from '../support/log-levels.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { JWT_SECRET } from './data.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PEERS = join(ROOT, 'bench/peers');

/** What people would otherwise put together, and where it is when it has been built. */
export const PEER_PROGRAMS = [
  { name: 'Express + Prisma', program: join(PEERS, 'dist/express/src/server.js') },
  { name: 'NestJS + TypeORM', program: join(PEERS, 'dist/nest/src/main.js') },
] as const;

export const INSTALL_PEERS = 'npm ci --prefix bench/peers && npm run --prefix bench/peers build';

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

/** Starts the peers that are built. */
export async function startPeers(databaseUrl: string): Promise<AsyncDisposable & { peers: NamedServer[] }> {
  const peers: NamedServer[] = [];
  for (const { name, program } of PEER_PROGRAMS) {
    if (!existsSync(program)) continue;
    const env = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, JWT_SECRET };
    peers.push({ name, server: await startServer(name, [program], { env }) });
  }
  return {
    peers,
    async [Symbol.asyncDispose]() {
      for (const { server } of peers) await server[Symbol.asyncDispose]();
    },
  };
}
