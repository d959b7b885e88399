import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './command.ts';

/**
 * Writes to standard output; shows progress on standard error, where that is a terminal.
 * Disposing of it takes away a progress bar that is left, which would keep the process running.
 */
export function terminalOutput(
  stdout: Pick<NodeJS.WritableStream, 'write'> = process.stdout,
  stderr: NodeJS.WritableStream & { isTTY?: boolean } = process.stderr,
): Output & Disposable {
  let bar: { step: string; shown: SingleBar } | undefined;

  function removeBar(): void {
    bar?.shown.stop();
    bar = undefined;
  }

  return {
    print(text) {
      removeBar();
      stdout.write(`${text}\n`);
    },
    progress(step, done, total) {
      if (stderr.isTTY !== true) return;
      if (bar?.step !== step) {
        removeBar();
        const format = `${step} {bar} {percentage} %`;
        // Its "graceful exit" would take Ctrl+C for itself.
        const shown = new SingleBar(
          { stream: stderr, format, clearOnComplete: true, gracefulExit: false },
          Presets.rect,
        );
        shown.start(total, done);
        bar = { step, shown };
      }
      bar.shown.update(done);
      if (done >= total) removeBar();
    },
    [Symbol.dispose]: removeBar,
  };
}
