import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { addressToOpen, type ListenAddress, METRICS_SETTINGS, withListenErrors } from './listen-address.ts';

/** Opens tracing where the settings switch it on. Its packages are loaded only then. @param failed is told of spans that were lost */
export async function openTracing({ tracing }: Config, failed: (error: unknown) => void): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTracing: open } = await import('../tracing/open-tracing.ts');
  return open(tracing, failed);
}

/** Begins to keep metrics where the settings say where they can be read. Their package is loaded only then. */
export async function openMetrics({ metrics }: Config): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined;
  const { openMetrics: open } = await import('../metrics/metrics.ts');
  return open();
}

/**
 * Listens for what collects metrics.
 *
 * @param failed is told of what goes wrong later on
 * @returns with the address to open, such as `http://127.0.0.1:9464/metrics`
 * @throws UserError where the place cannot be listened on
 */
export async function listenForScrapes(
  metrics: Metrics,
  place: ListenAddress,
  failed: (error: unknown) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { openMetricsListener } = await import('../metrics/metrics-listener.ts');
  const open = () => openMetricsListener(metrics, place, failed);
  const listener = await withListenErrors(place, METRICS_SETTINGS, open);
  return {
    url: `${addressToOpen(listener.address)}/metrics`,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
