import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHROMIUM, QUIET } from '../../test/browser/browser.ts';
import { SLOWER } from './moments.ts';

/**
 * A browser that nobody watches. A page that Playwright drives has its requests and errors followed: for each of them V8 parses
 * scripts once more, which takes a fifth of the time of a first page.
 */
export interface BareBrowser extends AsyncDisposable {
  /** Milliseconds from the beginning of the way to the first page until its largest part is drawn, on a slow processor, without a cache. */
  timeFirstPage(address: string): Promise<number>;
}

/** Milliseconds after which all of the first page is there. */
const SETTLED = 2_500;

const LARGEST_DRAWN = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint',
    buffered: true,
  }))`;

/** Starts the browser; it is told what to do by the Chrome DevTools Protocol. */
export async function startBareBrowser(): Promise<BareBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'orgdesk-browser-'));
  const browser = spawn(CHROMIUM, [...QUIET, '--remote-debugging-pipe', `--user-data-dir=${folder}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const tell = speak(browser.stdio[3] as Writable, browser.stdio[4] as Readable);
  return {
    async timeFirstPage(address) {
      const { browserContextId } = await tell('Target.createBrowserContext');
      const { targetId } = await tell('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
        width: 1280,
        height: 900,
      });
      const { sessionId } = await tell('Target.attachToTarget', { targetId, flatten: true });
      await tell('Emulation.setCPUThrottlingRate', { rate: SLOWER }, sessionId);
      await tell('Page.navigate', { url: address }, sessionId);
      // Looking for it meanwhile would take from the page's own time.
      await sleep(SETTLED);
      const { result } = await tell(
        'Runtime.evaluate',
        { expression: LARGEST_DRAWN, awaitPromise: true, returnByValue: true },
        sessionId,
      );
      await tell('Target.disposeBrowserContext', { browserContextId });
      return result.value;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(browser, 'exit');
      browser.kill();
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the answer of each method is its own
type Tell = (method: string, params?: object, sessionId?: string) => Promise<any>;

/** Messages are JSON with a zero byte behind each. */
function speak(orders: Writable, answers: Readable): Tell {
  const waiting = new Map<number, (message: { result?: unknown; error?: { message: string } }) => void>();
  let received = '';
  answers.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (received + piece).split('\0');
    received = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  let id = 0;
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(`${method}: ${error.message}`)),
      );
      orders.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}
