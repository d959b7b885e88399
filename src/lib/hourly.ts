import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 3_600_000;

type Job = (stop: AbortSignal) => Promise<void>;

/** Runs a job at once and then hourly, until disposed. @param onError is called with the error of a failed run */
export function hourly(job: Job, onError: (error: unknown) => void): AsyncDisposable {
  return repeatedly(INTERVAL_MS, job, onError);
}

/** Runs a job at once and then after each interval, until disposed. */
export function repeatedly(milliseconds: number, job: Job, onError: (error: unknown) => void): AsyncDisposable {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      await job(stop.signal).catch(onError);
      await sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
