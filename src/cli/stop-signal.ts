import { UserError } from '../lib/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Milliseconds for which the same wish may arrive again: on Ctrl+C the terminal sends a signal, and npm passes it on. */
const REPEATS = 1_000;

/**
 * Aborts on the first SIGINT or SIGTERM. One that follows much later ends the process at once, for people who do not want to wait.
 *
 * @returns a signal whose reason is a UserError
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  function stop(): void {
    if (controller.signal.aborted) return;
    controller.abort(new UserError('orgdesk was stopped before this was done.'));
    setTimeout(leave, REPEATS).unref();
  }
  for (const signal of SIGNALS) process.on(signal, stop);
  return controller.signal;
}
