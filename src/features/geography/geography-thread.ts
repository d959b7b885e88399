import { parentPort } from 'node:worker_threads';
import { buildGeographyParts } from './geography-parts.ts';
import { type GeographyTexts, parseGeography } from './geography-queries.ts';

/** Worker thread that builds the parts of one index, and transfers their memory instead of copying it. */
parentPort?.once('message', (texts: GeographyTexts) => {
  const parts = buildGeographyParts(parseGeography(texts));
  parentPort?.postMessage(parts, [...memoryOf(parts)]);
});

/** Returns all memory outside of the JavaScript heap. */
function memoryOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) memoryOf(part, found);
  return found;
}
