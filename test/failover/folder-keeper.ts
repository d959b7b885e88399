import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesIn } from './processes.ts';

/*
 * Watches over a working folder for as long as the standard input is open. The system closes that at every end of the process that
 * holds it, at SIGKILL too: then all that works in the folder is ended and the folder removed, but for its logs where `keep logs`
 * has been said.
 */
const [folder = ''] = process.argv.slice(2);
let keepsLogs = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.setEncoding('utf8');
for await (const text of process.stdin) keepsLogs ||= String(text).includes('keep logs');

for (let round = 0; round < 100; round++) {
  const working = processesIn(folder);
  if (working.length === 0) break;
  for (const pid of working) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  await sleep(50);
}
for (const name of readdirSync(folder)) {
  if (keepsLogs && name === 'logs') continue;
  rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}
if (!keepsLogs) rmSync(folder, { recursive: true, force: true });
