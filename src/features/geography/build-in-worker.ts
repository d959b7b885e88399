import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { GeographyParts } from './geography-parts.ts';
import type { GeographyTexts } from './geography-queries.ts';

/**
 * Builds the parts of an index in a thread of its own, so that this one goes on: a second of work.
 *
 * @param signal gives it up
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
  // Run from its sources this process reads TypeScript, and threads of it do not.
  const program = JSON.stringify(new URL('geography-thread.ts', import.meta.url).href);
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${program}, ${program}))`, {
    name,
    eval: true,
  });
}
