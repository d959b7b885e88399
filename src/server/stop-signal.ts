import { UserError } from '../lib/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Milliseconds within which the same signal may arrive again: on Ctrl+C both the terminal and npm send one. */
const REPEAT_MS = 1_000;

/**
 * Aborts on the first SIGINT or SIGTERM. A further one after {@link REPEAT_MS} ends the process at once, for people who
 * do not want to wait.
 *
 * @param onStop is called with the signal's name
 * @returns an abort signal whose reason is a UserError
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
