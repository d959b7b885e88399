import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from './browser.ts';
import { openConsole } from './console.ts';

/** What people wait for, on a processor that is a fourth as fast; each the median of a few times. */
const SLOWER = 4;
const TIMES = 5;
/** Whatever else the machine does adds to a time and never takes from it: the best of so many rounds counts. */
const ROUNDS = 3;
const FIRST_PAGE = 1_000;
const HITS = 100;
/** Milliseconds after which all of the first page is there. */
const SETTLED = 2_500;
/** Bytes, compressed. */
const SCRIPT = 200_000;
/** Each is asked of the service, as none begins like another. */
const WORDS = ['bogota', 'nairobi', 'osaka', 'lisbon', 'pune city'];
const KEYS = 4;

const { address, browser } = await openConsole();

async function slowVisit() {
  const { page } = await visit(browser, address);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Measures in rounds, and prints the best; no further one is needed where it is within the limit. */
async function bestOf(what: string, limit: number, measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  while (figures.length < ROUNDS && !(Math.min(...figures) <= limit)) figures.push(await measure());
  const best = Math.min(...figures);
  process.stdout.write(
    `${what}: ${Math.round(best)} ms, at most ${limit} (rounds: ${figures.map(Math.round).join(', ')})\n`,
  );
  return best;
}

/** Milliseconds from the beginning of the way to the first page until its largest part is drawn, without a cache. */
async function firstPage(): Promise<{ drawn: number; script: number }> {
  const page = await slowVisit();
  await page.goto(address);
  // Looking for it meanwhile would take from the page's own time.
  await page.waitForTimeout(SETTLED);
  const measured = await page.evaluate(async () => {
    const drawn = await new Promise<number>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
    });
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = resources.filter(({ name }) => name.endsWith('.js'));
    return { drawn, script: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  });
  await page.context().close();
  return measured;
}

/** Types a search, and gives the milliseconds from each of its keys until the hits are drawn. */
async function typeSearch(page: Page, word: string): Promise<number[]> {
  const box = page.getByLabel('Search all cities');
  await box.fill('');
  await page.getByRole('link', { name: /^India/ }).waitFor();
  await box.focus();
  await page.waitForTimeout(500);
  const times: number[] = [];
  for (let at = 0; at < KEYS; at++) {
    await watchHits(page, word.slice(0, at + 1));
    await page.keyboard.press(word.charAt(at));
    times.push(await page.evaluate(() => (window as unknown as Watched).drawn));
    await page.waitForTimeout(300);
  }
  return times;
}

interface Watched {
  /** Milliseconds from the next key until its hits are drawn. */
  drawn: Promise<number>;
}

function watchHits(page: Page, typed: string): Promise<void> {
  return page.evaluate((text) => {
    (window as unknown as Watched).drawn = new Promise((resolve) => {
      let pressed = Number.NaN;
      document.addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { once: true, capture: true });
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[data-testid=found]')?.textContent?.includes(`\u2068${text}\u2069`)) return;
        observer.disconnect();
        // A message that is sent within a frame comes once that frame has been drawn.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - pressed);
          port2.postMessage(undefined);
        });
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  }, typed);
}

describe(`on a processor that is slowed down ${SLOWER} times`, () => {
  it(`the first page is drawn within ${FIRST_PAGE} ms, with at most ${SCRIPT} bytes of script`, async () => {
    const scripts = new Set<number>();
    const best = await bestOf('First page drawn', FIRST_PAGE, async () => {
      const times: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        const { drawn, script } = await firstPage();
        times.push(drawn);
        scripts.add(script);
      }
      return median(times);
    });
    const script = Math.max(...scripts);
    process.stdout.write(`Script, compressed: ${script} bytes, at most ${SCRIPT}\n`);
    assert.ok(best <= FIRST_PAGE, `${best} ms`);
    assert.ok(script > 0 && script <= SCRIPT, `${script} bytes`);
  });

  it(`the search in all cities shows hits within ${HITS} ms of each key`, async () => {
    const page = await slowVisit();
    const best = await bestOf(`Hits drawn after the slowest of ${KEYS} keys`, HITS, async () => {
      await page.goto(`${address}/geography`);
      const searches: number[][] = [];
      for (const word of WORDS) searches.push(await typeSearch(page, word));
      const byKey = Array.from({ length: KEYS }, (_, at) => median(searches.map((times) => times[at] ?? Number.NaN)));
      process.stdout.write(`After each key: ${byKey.map(Math.round).join(', ')} ms\n`);
      return Math.max(...byKey);
    });
    assert.ok(best <= HITS, `${best} ms`);
    await page.context().close();
  });
});
