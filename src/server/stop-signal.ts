import { UserError } from '../lib/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Within this time the same signal may arrive again: on Ctrl+C the terminal sends one, and npm passes it on. */
const REPEAT_MS = 1_000;

/**
 * Aborts on the first SIGINT or SIGTERM. One that follows much later ends the process at once, for people who do not want to wait.
 *
 * @param onStop is told which one it was
 * @returns a signal whose reason is a UserError
 */
export function stopSignal(onStop: (signal: NodeJS.Signals) => void): AbortSignal {
  const controller = new AbortController();
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  function stop(signal: NodeJS.Signals): void {
    if (controller.signal.aborted) return;
    onStop(signal);
    controller.abort(new UserError('orgdesk was stopped before this was done.'));
    setTimeout(stopListening, REPEAT_MS).unref();
  }
  for (const signal of SIGNALS) process.on(signal, stop);
  return controller.signal;
}
