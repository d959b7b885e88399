/*
 * Somebody else's requests, sent by a process of its own, so that no work of the attack delays them: one after the other, with a pause
 * between two. Sends a message when it has begun; told to stop, it sends what it saw.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEALTH, type OtherRequest, type Sample } from './others.ts';

/** Milliseconds between two requests, and until one is given up. */
const [PAUSE, GIVEN_UP] = [20, 60_000];

const [port = '', requested = ''] = process.argv.slice(2);
const requests = JSON.parse(requested) as OtherRequest[];
const agent = new Agent({ keepAlive: true });
const samples: Sample[] = [];
let isOver = false;
process.on('message', () => {
  isOver = true;
});
process.on('disconnect', () => process.exit());
process.send?.('begun');
while (!isOver) {
  for (const each of requests) {
    const began = performance.now();
    const status = await ask(each);
    samples.push({ path: each.path, status, milliseconds: performance.now() - began });
    await sleep(PAUSE);
  }
}
process.send?.(samples, () => process.disconnect());

function ask({ path, token }: OtherRequest): Promise<number> {
  return new Promise((resolve) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options = {
      host: '127.0.0.1',
      port,
      path,
      agent: path === HEALTH ? false : agent,
      headers,
      timeout: GIVEN_UP,
    };
    const request = httpRequest(options, (response) => {
      response.resume().on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve(0));
    request.end();
  });
}
