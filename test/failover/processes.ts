import { readdirSync, readlinkSync } from 'node:fs';

/** The processes that work in a folder or below it, whoever started them. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isIn(folder, workingFolderOf(pid)));
}

function isIn(folder: string, path: string | undefined): boolean {
  return path === folder || path?.startsWith(`${folder}/`) === true;
}

function workingFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended, or is another account's.
    return undefined;
  }
}

/** Ends all that works in a folder, as the loss of power would. */
export function killIn(folder: string): void {
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
}
