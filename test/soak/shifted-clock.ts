import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Clocks of other processes that are moved forward. Linux, with a C compiler. */
export interface ShiftedClock extends Disposable {
  /** For the processes that it is the clock of. */
  readonly settings: Readonly<Record<'LD_PRELOAD' | 'CLOCK_SHIFT', string>>;
  /** In milliseconds since 1970. */
  now(): number;
  pass(seconds: number): void;
}

export function openShiftedClock(): ShiftedClock {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-clock-'));
  chmodSync(folder, 0o755);
  const [library, file] = [join(folder, 'clock.so'), join(folder, 'shift')];
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, 'test/soak/shifted-clock.c', '-ldl']);
  let shift = 0;
  const write = () => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(shift));
    // In place: the processes have the file in memory.
    writeFileSync(file, bytes, { flag: shift === 0 ? 'w' : 'r+' });
  };
  write();
  return {
    settings: { LD_PRELOAD: library, CLOCK_SHIFT: file },
    now: () => Date.now() + shift * 1_000,
    pass(seconds) {
      shift += seconds;
      write();
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
