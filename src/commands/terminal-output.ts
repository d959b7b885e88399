import { Presets, SingleBar } from 'cli-progress';
import type { ProgressReport } from '../embedded/control-channel.ts';
import type { Output } from './command.ts';

/**
 * Returns an output on standard output, with progress on standard error if that is a terminal. Disposing removes a remaining progress bar,
 * whose timer would keep the process running.
 */
export function terminalOutput(
  stdout: Pick<NodeJS.WritableStream, 'write'> = process.stdout,
  stderr: NodeJS.WritableStream & { isTTY?: boolean } = process.stderr,
): Output & Disposable {
  let bar: { step: string; shown: SingleBar; began: number } | undefined;

  function removeBar(): void {
    bar?.shown.stop();
    bar = undefined;
  }

  return {
    print(text) {
      removeBar();
      stdout.write(`${text}\n`);
    },
    progress(report) {
      const { step, done, total } = report;
      if (stderr.isTTY !== true) return;
      if (bar?.step !== step) {
        removeBar();
        const format = `${step} {bar} {percentage} %{speed}`;
        // Its `gracefulExit` would handle Ctrl+C itself.
        const shown = new SingleBar(
          { stream: stderr, format, clearOnComplete: true, gracefulExit: false },
          Presets.rect,
        );
        shown.start(total, done, { speed: '' });
        bar = { step, shown, began: performance.now() };
      }
      bar.shown.update(done, { speed: speedInWords(report, performance.now() - bar.began) });
      if (done >= total) removeBar();
    },
    // Node writes to files, terminals and pipes synchronously.
    flushed: () => Promise.resolve(),
    [Symbol.dispose]: removeBar,
  };
}

/** Minimum time for a meaningful rate. */
const TOO_SOON_MS = 500;

/** Returns rate and remaining time of a step: `, 12.3 MB/s, 1:05 left`. */
export function speedInWords({ done, total, unit }: ProgressReport, milliseconds: number): string {
  if (milliseconds < TOO_SOON_MS || done === 0) return '';
  const perSecond = (done / milliseconds) * 1000;
  const rate = unit === 'bytes' ? `${(perSecond / 1e6).toFixed(1)} MB/s` : `${Math.round(perSecond)} rows/s`;
  const seconds = Math.ceil((total - done) / perSecond);
  return `, ${rate}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
