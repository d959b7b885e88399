import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds. */
const DEADLINE_MS = 600_000;

/** Waits until the service has compressed the full lists, which it does in the background of its first start: the last one is this. */
export async function waitForCompressedLists(dataDir: string): Promise<void> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await setTimeout(250)) {
    const files = await readdir(join(dataDir, 'geography')).catch(() => []);
    if (files.some((name) => name.endsWith('.cities.gzip'))) return;
  }
  throw new Error('The full lists have not been compressed within ten minutes');
}
