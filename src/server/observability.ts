import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { addressToOpen, type ListenAddress, METRICS_SETTINGS, withListenErrors } from './listen-address.ts';

/** Opens tracing if the settings enable it; its packages are loaded only then. @param failed is called when spans could not be sent */
export async function openTracing({ tracing }: Config, failed: (error: unknown) => void): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTracing: open } = await import('../tracing/open-tracing.ts');
  return open(tracing, failed);
}

/** Opens metrics if the settings enable them; their package is loaded only then. */
export async function openMetrics({ metrics }: Config): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined;
  const { openMetrics: open } = await import('../metrics/metrics.ts');
  return open();
}

/**
 * Listens for scrapes of the metrics.
 *
 * @param failed is called with later errors
 * @returns the listener with its URL, such as `http://127.0.0.1:9464/metrics`
 * @throws UserError if the address cannot be listened on
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
