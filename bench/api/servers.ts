import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildServer, startServer } from '../support/child-server.ts';
import { JWT_SECRET } from './subjects.ts';

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

/** orgdesk as a company would run it behind a proxy, with limits that count and are not reached. */
export function startOrgdesk(databaseUrl: string, dataDir: string): Promise<ChildServer> {
  return startServer('orgdesk', [join(ROOT, 'dist/cli.js'), 'serve'], {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    JWT_SECRET,
    PORT: '0',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_USER: '1000000000',
    RATE_LIMIT_PUBLIC: '1000000000',
  });
}

/** @param subjects a file that holds them */
export function startBare(databaseUrl: string, subjects: string): Promise<ChildServer> {
  return startServer('The bare server', ['--import', 'tsx', join(ROOT, 'bench/api/bare-server.ts'), subjects], {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
  });
}

/** Starts the peers that are built. */
export async function startPeers(databaseUrl: string): Promise<AsyncDisposable & { peers: NamedServer[] }> {
  const peers: NamedServer[] = [];
  for (const { name, program } of PEER_PROGRAMS) {
    if (!existsSync(program)) continue;
    const settings = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, JWT_SECRET };
    peers.push({ name, server: await startServer(name, [program], settings) });
  }
  return {
    peers,
    async [Symbol.asyncDispose]() {
      for (const { server } of peers) await server[Symbol.asyncDispose]();
    },
  };
}
