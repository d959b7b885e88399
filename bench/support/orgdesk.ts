import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ChildServer, type ServerProcess, startServer } from './child-server.ts';

const ROOT = new URL('../../', import.meta.url);
const { start }: { start: string } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).scripts;
/** What `npm start` gives to Node, with the whole path of the program. */
const COMMAND = start
  .split(' ')
  .slice(1)
  .map((word) => (word.startsWith('dist/') ? fileURLToPath(new URL(word, ROOT)) : word));

/** Starts the service as `npm start` does: with default settings but for those given, its log in a file next to its data folder. */
export function startOrgdesk(dataDir: string, { env, ...rest }: ServerProcess = {}): Promise<ChildServer> {
  return startServer('orgdesk', COMMAND, {
    env: { PORT: '0', DATA_DIR: dataDir, ...env },
    log: `${dataDir}.log`,
    ...rest,
  });
}
