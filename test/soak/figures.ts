import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MEGABYTE = 2 ** 20;

/** What a service and its data take up. */
export interface Figures {
  hour: number;
  /** Megabytes. */
  memory: number;
  descriptors: number;
  /** Milliseconds of processor time a request since the figures before. */
  processor: number;
  /** Megabytes of the embedded database and of its log. */
  base: number;
  log: number;
}

/** Milliseconds of processor time that a process has used. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function figuresOf(pid: number, dataDir: string, hour: number, processor: number): Figures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const postgres = join(dataDir, 'postgres');
  return {
    hour,
    memory: Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1_024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    processor,
    base: sizeOf(postgres) - sizeOf(join(postgres, 'pg_wal')),
    log: sizeOf(join(postgres, 'pg_wal')),
  };
}

export function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => {
    // The database removes files meanwhile.
    return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE;
  }, 0);
}

/** Bounds of each look, and of the last quarter compared with the second one: the first warms up. */
export function assertBounds(all: readonly Figures[], changes: number): void {
  for (const { hour, memory, descriptors, log } of all) {
    assert.ok(memory <= 900, `${memory.toFixed(0)} MB of memory in hour ${hour}`);
    // The embedded database keeps some 300 files of tables and indexes open.
    assert.ok(descriptors <= 500, `${descriptors} descriptors in hour ${hour}`);
    assert.ok(log <= 192, `${log.toFixed(0)} MB of log in hour ${hour}`);
  }
  const quarter = Math.floor(all.length / 4);
  if (quarter < 4) return;
  const mean = (part: readonly Figures[], name: keyof Figures) =>
    part.reduce((sum, each) => sum + each[name], 0) / part.length;
  const [early, late] = [all.slice(quarter, 2 * quarter), all.slice(-quarter)];
  const grown = (name: keyof Figures) => mean(late, name) / mean(early, name);
  assert.ok(grown('memory') <= 1.25, `memory × ${grown('memory').toFixed(2)}`);
  assert.ok(grown('descriptors') <= 1.25, `descriptors × ${grown('descriptors').toFixed(2)}`);
  assert.ok(grown('processor') <= 1.5, `processor time a request × ${grown('processor').toFixed(2)}`);
  // Each change stays in the trail, with its values and indexes.
  const growth = mean(late, 'base') - mean(early, 'base');
  assert.ok(growth <= 10 + changes * 0.004, `${growth.toFixed(1)} MB more for ${changes} changes`);
}
