import { Presets, SingleBar } from 'cli-progress';
import type { ProgressReport } from '../embedded/control-channel.ts';
import type { Output } from './command.ts';

/**
 * Writes to standard output; shows progress on standard error, where that is a terminal.
 * Disposing of it takes away a progress bar that is left, which would keep the process running.
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
        // Its "graceful exit" would take Ctrl+C for itself.
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
    // Node writes to files, terminals and pipes at once.
    flushed: () => Promise.resolve(),
    [Symbol.dispose]: removeBar,
  };
}

/** Before which a speed says little. */
const TOO_SOON_MS = 500;

/** How fast a step goes, and how long it still takes at that: `, 12.3 MB/s, 1:05 left`. */
export function speedInWords({ done, total, unit }: ProgressReport, milliseconds: number): string {
  if (milliseconds < TOO_SOON_MS || done === 0) return '';
  const perSecond = (done / milliseconds) * 1000;
  const rate = unit === 'bytes' ? `${(perSecond / 1e6).toFixed(1)} MB/s` : `${Math.round(perSecond)} rows/s`;
  const seconds = Math.ceil((total - done) / perSecond);
  return `, ${rate}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
