import { readFileSync } from 'node:fs';

/** The memory that a process holds, in MB (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** The processor time that a process has used, in milliseconds. */
export function processorMilliseconds(pid: number): number {
  // The name in brackets may hold blanks; what follows it are numbers. Times are in ticks of 10 ms.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
