import type { Browser, Page } from 'playwright-core';
import { visit } from '../../test/browser/browser.ts';

/** What people wait for is measured on a processor that is so many times slower. */
export const SLOWER = 4;

interface Watched {
  /** Milliseconds from the next press until what is waited for has been drawn. */
  drawn: Promise<number>;
}

/** Something on a page: an element that has a text, or a box that holds it. */
export interface Sight {
  selector: string;
  text: string;
}

/** A page of a browser without a past, on a slow processor. */
export async function slowVisit(browser: Browser, address: string): Promise<Page> {
  const { page } = await visit(browser, address);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

/** Milliseconds from a key or a click until something that it leads to has been drawn. */
export async function timeUntil(page: Page, press: () => Promise<unknown>, sight: Sight): Promise<number> {
  await page.evaluate(({ selector, text }) => {
    (window as unknown as Watched).drawn = new Promise((resolve) => {
      let pressed: number | undefined;
      // Methods, as the loader gives functions with a name something that the page does not have.
      const watch = {
        isThere() {
          return [...document.querySelectorAll(selector)].some((element) =>
            (element instanceof HTMLInputElement ? element.value : (element.textContent ?? '')).includes(text),
          );
        },
        look() {
          if (!watch.isThere()) return;
          changes.disconnect();
          // A message that is sent within a frame comes once that frame has been drawn.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - (pressed ?? Number.NaN));
          port2.postMessage(undefined);
        },
        handleEvent({ timeStamp }: Event) {
          if (pressed !== undefined) return;
          pressed = timeStamp;
          // The text of a box changes nothing else. Looking at every frame would have the browser draw frames of no change.
          requestAnimationFrame(() => watch.look());
          changes.observe(document, { subtree: true, childList: true, characterData: true });
        },
      };
      const changes = new MutationObserver(() => requestAnimationFrame(() => watch.look()));
      for (const kind of ['keydown', 'click']) addEventListener(kind, watch, { once: true, capture: true });
    });
  }, sight);
  await press();
  return page.evaluate(() => (window as unknown as Watched).drawn);
}

/** Types a text into the box that has the focus, and gives the milliseconds from each key until what it leads to has been drawn. */
export async function timeKeys(page: Page, text: string, sight: (typed: string) => Sight): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < text.length; at++) {
    times.push(await timeUntil(page, () => page.keyboard.press(text.charAt(at)), sight(text.slice(0, at + 1))));
    // As people do.
    await page.waitForTimeout(150);
  }
  return times;
}
