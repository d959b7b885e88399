import { fileURLToPath } from 'node:url';
import { type ChildServer, type ServerProcess, startServer } from './child-server.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Starts the service as `npm start` does: with default settings but for those given, its log in a file next to its data folder. */
export function startOrgdesk(dataDir: string, { env, ...rest }: ServerProcess = {}): Promise<ChildServer> {
  return startServer('orgdesk', [PROGRAM, 'serve'], {
    env: { PORT: '0', DATA_DIR: dataDir, ...env },
    log: `${dataDir}.log`,
    ...rest,
  });
}
