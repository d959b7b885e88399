import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Measures what a first `npm ci` costs, in a clone of the last commit: `npm run measure:clone` (Linux, bash). Processor time and sizes are
 * right also where others keep the machine busy; memory is the largest sum over all processes at one time, in which shared pages count
 * once (PSS).
 */
const EVERY_MS = 100;

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-clone-'));
try {
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${process.cwd()}`, folder]);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config)|^INIT_CWD/.test(name)),
  );
  const child = spawn('bash', ['-c', 'npm ci >&2 && times'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid ?? 0));
  }, EVERY_MS);
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`npm ci ended with ${code}`);
  const ofChildren = said.trim().split('\n')[1] ?? '';
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  const megabytes = (path: string) =>
    execFileSync('du', ['-sm', join(folder, path)], { encoding: 'utf8' }).split('\t')[0];
  process.stdout.write(
    [
      `npm ci, Node ${process.versions.node}:`,
      `  ${seconds.reduce((sum, each) => sum + each, 0).toFixed(0)} s of processor`,
      `  ${(peak / 1e3).toFixed(0)} MB of memory at its peak`,
      `  ${megabytes('node_modules')} MB of packages, ${megabytes('.')} MB with the clone and what is built\n`,
    ].join('\n'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the kilobytes of a process and all that it has started. */
function memoryOf(root: number): number {
  const parents = new Map(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)] as const] : [])),
  );
  const isWithin = (id: number | undefined): boolean =>
    id !== undefined && id !== 0 && (id === root || isWithin(parents.get(id)));
  return [...parents.keys()]
    .filter(isWithin)
    .reduce((sum, id) => sum + numberIn(`/proc/${id}/smaps_rollup`, /^Pss: +(\d+)/m), 0);
}

function parentOf(id: string): number {
  return numberIn(`/proc/${id}/stat`, /\) \S (\d+)/);
}

/** A process may have ended meanwhile. */
function numberIn(file: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
