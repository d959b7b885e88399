import { setTimeout } from 'node:timers/promises';
import { fetchOnce, requestBytes } from './load.ts';

/** Waits until the service has compressed the full lists, which it does in the background of its first start. */
export async function waitForCompressedLists(port: number): Promise<void> {
  const request = requestBytes('GET', '/api/cities/list', { headers: { 'accept-encoding': 'br' } });
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const answer = await fetchOnce(port, request);
    if (/\ncontent-encoding: br/i.test(answer.toString('latin1', 0, 2000))) return;
    await setTimeout(500);
  }
  throw new Error('The full lists have not been compressed within two minutes');
}
