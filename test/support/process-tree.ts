import { readdirSync, readFileSync } from 'node:fs';

/** The process that has started another one; `NaN` where that is gone. Linux alone tells. */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(statusOf(pid))?.[1]);
}

/** The processes that a process has started and that still run. Linux alone tells. */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => isRunning(pid) && parentOf(pid) === parent);
}

/** Whether a process is there and has not ended. Linux alone tells. */
export function isRunning(pid: number): boolean {
  return /^State:\s*[^Z\s]/m.test(statusOf(pid));
}

/** Empty where the process is gone. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
