import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './command.ts';

/** Writes to standard output; shows progress on standard error, where that is a terminal. */
export function terminalOutput(): Output {
  let bar: { step: string; shown: SingleBar } | undefined;
  return {
    print: (text) => void process.stdout.write(`${text}\n`),
    progress(step, done, total) {
      if (!process.stderr.isTTY) return;
      if (bar?.step !== step) {
        bar?.shown.stop();
        bar = {
          step,
          shown: new SingleBar({ format: `${step} {bar} {percentage} %`, clearOnComplete: true }, Presets.rect),
        };
        bar.shown.start(total, done);
      }
      bar.shown.update(done);
      if (done >= total) {
        bar.shown.stop();
        bar = undefined;
      }
    },
  };
}
