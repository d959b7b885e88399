import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Milliseconds between two looks at the memory; the system keeps the peak itself. */
const LOOK = 50;

export interface Measured {
  milliseconds: number;
  /** The most that the process had in memory at once, in MB (Linux; NaN elsewhere). */
  peakMegabytes: number;
  stdout: string;
}

/** Runs `orgdesk` with these words, as it is installed. */
export async function runMeasured(words: readonly string[], settings: Record<string, string>): Promise<Measured> {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  let peakMegabytes = Number.NaN;
  const timer = setInterval(() => {
    peakMegabytes = peakMemory(child.pid ?? 0) ?? peakMegabytes;
  }, LOOK);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`orgdesk ${words.join(' ')} ended with ${code ?? signal}`);
  return { milliseconds: performance.now() - began, peakMegabytes, stdout };
}

function peakMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
  } catch {
    return undefined;
  }
}
