import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Which server to run, as whom, and the folders that go when it ends; read from this process's first argument. */
export interface Keeping {
  binary: string;
  flags: string[];
  account: { uid: number; gid: number } | Record<string, never>;
  /** It runs in the first one. */
  folders: string[];
}

// Runs a server for as long as the standard input is open. The system closes that at every end of the process that
// holds it, at SIGKILL too: no server and no folder stays behind.
const { binary, flags, account, folders } = JSON.parse(process.argv[2] ?? '') as Keeping;
const server = spawn(binary, flags, { ...account, cwd: folders[0], stdio: ['ignore', 'ignore', 'inherit'] });
const end = () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
};
server.once('exit', end);
server.once('error', (error) => {
  process.stderr.write(String(error));
  end();
});
// SIGQUIT: stop at once, without the courtesies.
process.stdin.once('close', () => server.kill('SIGQUIT')).resume();
