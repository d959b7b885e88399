import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { GeographyParts } from './geography-parts.ts';
import type { GeographyTexts } from './geography-queries.ts';

/**
 * Builds the parts of an index in a worker thread, as a second of work would block the event loop.
 *
 * @param signal aborts the build
 */
export async function buildInWorker(texts: GeographyTexts, signal: AbortSignal): Promise<GeographyParts> {
  const thread = startThread();
  try {
    thread.postMessage(texts);
    const [parts] = (await once(thread, 'message', { signal })) as [GeographyParts];
    return parts;
  } finally {
    await thread.terminate();
  }
}

function startThread(): Worker {
  const name = 'geography';
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('geography-thread.js', import.meta.url), { name });
  // When run from sources, this process reads TypeScript, but its worker threads do not.
  const program = JSON.stringify(new URL('geography-thread.ts', import.meta.url).href);
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${program}, ${program}))`, {
    name,
    eval: true,
  });
}
