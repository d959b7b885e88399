import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertBecomes, intercept } from './browser.ts';
import { openConsole } from './console.ts';

const { open } = await openConsole();

/** The console puts what is typed into the address 250 ms after the last key. */
const PAUSE_AND_MORE = 600;

/** In the page: types one more letter, and follows the first hit so many turns of the event loop after the pause. */
function typeAndFollow(turns: number): void {
  const box = document.querySelector<HTMLInputElement>('[data-list="all"] input');
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  setValue?.call(box, 'bogota');
  box?.dispatchEvent(new InputEvent('input', { bubbles: true }));
  const { port1, port2 } = new MessageChannel();
  let left = turns;
  port1.onmessage = () => {
    if (left-- > 0) port2.postMessage(undefined);
    else document.querySelector<HTMLElement>('[data-list="all"] a')?.click();
  };
  setTimeout(() => port2.postMessage(undefined), 250);
}

describe('geography', () => {
  it('a keyboard user goes from the countries to the states and cities', () =>
    open('/geography', undefined, async (page) => {
      await page.getByRole('link', { name: /^India/ }).waitFor();
      const focused = () =>
        page.evaluate(() => document.activeElement?.textContent || document.activeElement?.ariaLabel);
      await page.getByLabel('Search all cities').focus();
      await page.keyboard.press('Tab');
      await assertBecomes(focused, 'Filter countries');
      await page.keyboard.type('india');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      await assertBecomes(async () => /^British Indian/.test((await focused()) ?? ''), true);
      await page.keyboard.press('ArrowDown');
      await assertBecomes(async () => /^India36 states/.test((await focused()) ?? ''), true);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /^Maharashtra/ }).waitFor();
      await page.keyboard.press('ArrowRight');
      await assertBecomes(focused, 'Filter states');
      await page.keyboard.type('maharas');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/country=\d+&state=\d+/);
      await page.getByText('Achalpur', { exact: true }).waitFor();
      await page.keyboard.press('ArrowRight');
      await assertBecomes(focused, 'Filter cities');
      await page.keyboard.type('pune');
      await page.getByText('Pune', { exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowLeft');
      await assertBecomes(async () => /^Maharashtra/.test((await focused()) ?? ''), true);
      await page.getByText('Open Database License').waitFor();
    }));

  it('the geography shows the numbers of states and cities, and more of a long list on request', () =>
    open('/geography?country=233&state=1416', undefined, async (page) => {
      await page.getByRole('link', { name: /^United States [\d,]+ states, [\d,]+ cities$/ }).waitFor();
      await page.getByRole('link', { name: /^California.*[\d,]+ cities$/ }).waitFor();
      const cities = page.getByRole('region', { name: 'Cities' }).getByRole('listitem');
      await cities.nth(99).waitFor();
      await page.getByRole('button', { name: 'Show more' }).click();
      await cities.nth(199).waitFor();
    }));

  it('a search for cities shows hits while typing, and a hit leads to the city', () =>
    open('/geography', undefined, async (page) => {
      await page.getByLabel('Search all cities').pressSequentially('bogota', { delay: 20 });
      await page
        .getByTestId('found')
        .getByText(/^\d+ cities with “.?bogota/)
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/country=\d+&state=\d+&city=Bogot/);
      await page
        .getByRole('region', { name: 'Cities' })
        .getByRole('listitem')
        .getByText(/^Bogot/)
        .first()
        .waitFor();
      await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Filter cities');
      await page.goBack();
      await page
        .getByTestId('found')
        .getByText(/bogota/)
        .waitFor();
    }));

  it('a hit followed while the search text enters the address leads to the city', () =>
    open('/geography', undefined, async (page) => {
      for (const turns of [0, 1, 2, 3, 4]) {
        await page.getByLabel('Search all cities').fill('bogot');
        const found = page.getByTestId('found');
        await found.getByText(/bogot.?”/).waitFor();
        await page.evaluate(typeAndFollow, turns);
        const city = /\?country=\d+&state=\d+&city=Bogot[^&]*$/;
        await page.waitForURL(city);
        await page.waitForTimeout(PAUSE_AND_MORE);
        assert.match(page.url(), city, `${turns} turns after the pause`);
        await page.goBack();
        await found.getByText(/bogota/).waitFor();
      }
    }));

  it('a search shows the likeliest city first, and flag, population, time zone and coordinates on request', () =>
    open('/geography', undefined, async (page) => {
      await page.getByLabel('Search all cities').fill('mu');
      const first = page.getByRole('region', { name: 'Cities', exact: true }).getByRole('link').first();
      await first.getByText('Mumbai', { exact: true }).waitFor();
      assert.doesNotMatch((await first.textContent()) ?? '', /Asia/);
      await page.getByLabel('Show flags, populations, time zones and places').check();
      await first.getByText(/^[\d,]+ people · Asia\/Kolkata · 19.07° N, 72.88° E$/).waitFor();
      await first.getByText('🇮🇳').waitFor();
      await first.click();
      await page
        .getByRole('link', { name: /^India/ })
        .getByText('🇮🇳')
        .waitFor();
      await page
        .getByText(/^[\d,]+ people · Asia\/Kolkata/)
        .first()
        .waitFor();
      await page.getByText('GeoNames').waitFor();
    }));

  it('a search for another name of a city shows that name, and leads to the city', () =>
    open('/geography', undefined, async (page) => {
      await page.getByLabel('Search all cities').fill('bombay');
      const first = page.getByRole('region', { name: 'Cities', exact: true }).getByRole('link').first();
      await first.getByText('Mumbai — Bombay').waitFor();
      await page.getByLabel('Search all cities').fill('springfield, il');
      await first.getByText('Illinois', { exact: true }).waitFor();
      assert.doesNotMatch((await first.textContent()) ?? '', /—/);
      await page.getByLabel('Search all cities').fill('münchen');
      await first.getByText('Munich — München').waitFor();
      await first.click();
      await page.waitForURL(/country=\d+&state=\d+&city=Munich/);
    }));

  it('the geography lists the parts of a state below the state, and all their cities in the state', () =>
    open('/geography?country=105', undefined, async (page) => {
      const states = page.getByRole('region', { name: 'States' }).getByRole('link');
      await states.filter({ hasText: 'Munster' }).waitFor();
      const names = await states.allTextContents();
      const munster = names.findIndex((name) => name.startsWith('Munsterprovince'));
      assert.match(names[munster + 1] ?? '', /^Clarecounty · [\d,]+ cit/);
      await states.nth(munster).click();
      await page.getByLabel('Filter cities').fill('cork');
      await page.getByRole('region', { name: 'Cities' }).getByText('Cork', { exact: true }).waitFor();
    }));

  it('a search for a misspelt city suggests a similar name', () =>
    open('/geography', undefined, async (page) => {
      await page.getByLabel('Search all cities').fill('barcekona');
      await page
        .getByTestId('found')
        .getByText(/Did you mean/)
        .waitFor();
      await page.getByRole('region', { name: 'Cities', exact: true }).getByText('Barcelona').first().waitFor();
    }));

  it('a hit clicked with Ctrl opens in a new tab', () =>
    open('/geography?search=bogota', undefined, async (page) => {
      const opened = page.context().waitForEvent('page');
      await page
        .getByRole('region', { name: 'Cities', exact: true })
        .getByRole('link')
        .first()
        .click({
          modifiers: ['ControlOrMeta'],
        });
      await (await opened).waitForURL(/country=\d+&state=\d+&city=Bogot/);
      assert.match(page.url(), /search=bogota$/);
      await page.getByTestId('found').waitFor();
    }));

  it('a search without hits says so, and a failed search can be repeated', () =>
    open('/geography?search=qqqqq', undefined, async (page) => {
      await page.getByText('Nothing matches').waitFor();
      const pass = await intercept(page, '**/api/cities/list?*', (route) => route.abort());
      await page.getByLabel('Search all cities').fill('pune');
      await page.getByText('Can’t reach the service').waitFor();
      pass();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: /^Pune/ }).first().waitFor();
    }));
});
