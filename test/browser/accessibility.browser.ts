import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itHasNoFault } from './accessible.ts';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { heading, openConsole, refuseToken } from './console.ts';
import { COMMON } from './states.ts';

const { open } = await openConsole();

describe('axe-core finds no fault, in light and dark colours and on a phone, and nothing scrolls sideways', () => {
  itHasNoFault(open, COMMON);

  it('axe-core reports a button without a name and a faint text', () =>
    open('/geography', undefined, async (page) => {
      await heading(page, 'Geography');
      await page.evaluate(() => {
        document.body.append(document.createElement('button'));
        document.body.insertAdjacentHTML('beforeend', '<p id="faint">Faint</p>');
        const faint = document.getElementById('faint');
        if (faint) faint.style.color = '#bbb';
      });
      assert.match(
        (await accessibilityFaults(page)).join(),
        /button-name.*color-contrast|color-contrast.*button-name/s,
      );
    }));
});

describe('the keyboard alone', () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
      return (element?.ariaLabel ?? label ?? element?.textContent ?? '').trim() || (element?.id ?? '');
    });

  it('a keyboard user skips the head of the page, signs in, and continues in the page that opens', () =>
    open('/', undefined, async (page) => {
      await page.getByRole('button', { name: 'manager@acme.example' }).waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Skip to the content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      // The doors into the demo come first, then its people.
      assert.equal(await focused(page), 'Run a company');
      const reached: string[] = [];
      while (!reached.at(-1)?.includes('employee@acme.example') && reached.length < 12) {
        await page.keyboard.press('Tab');
        reached.push(await focused(page));
      }
      assert.ok(
        reached.some((name) => name.includes('super.admin@orgdesk.example')),
        reached.join(),
      );
      assert.match(await focused(page), /employee@acme\.example/);
      await page.keyboard.press('Enter');
      await heading(page, 'Profile');
      await page.waitForFunction(() => document.activeElement?.id === 'content');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'First name');
      await page.keyboard.type('x');
      await page.keyboard.press('Enter');
      await page.getByText('Profile saved.').waitFor();
    }));

  it('a keyboard user reaches every control of a page, and sees the focus on each', () =>
    open('/policies', 'admin@acme.example', async (page) => {
      await page.getByRole('article').first().waitFor();
      const reached: string[] = [];
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press('Tab');
        // After its last element the browser's own ones come, and then its first.
        if (await page.evaluate(() => document.activeElement === document.body)) continue;
        const name = await focused(page);
        const isSeen = await page.evaluate(async () => {
          const element = document.activeElement as HTMLElement;
          // Colours change over a moment.
          await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          if (outlineStyle !== 'none' && outlineWidth !== '0px') return true;
          const before = getComputedStyle(element).borderColor;
          element.blur();
          await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
          const after = getComputedStyle(element).borderColor;
          element.focus();
          return before !== after;
        });
        assert.ok(isSeen, `${name} has the focus and does not show it`);
        reached.push(name);
      }
      for (const name of [
        'Use dark colours',
        'Profile',
        'Approval policies',
        'Search',
        'Try an amount',
        'Rows on a page',
      ]) {
        assert.ok(reached.includes(name), `${name} is not reached: ${reached.join(', ')}`);
      }
      assert.ok(reached.some((name) => name.startsWith('Account: ')));
    }));

  it('the focus stays in the dialog for signing in again, and returns to the field afterwards', () =>
    open('/profile', 'employee@acme.example', async (page) => {
      await refuseToken(page);
      await page.getByLabel('Gender').fill('Typed by hand');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      for (let step = 0; step < 5; step++) {
        await page.keyboard.press('Tab');
        assert.match(await focused(page), /^Sign (in again as|out instead)/);
      }
      await page.keyboard.press('Escape');
      await assertBecomes(() => page.getByRole('dialog').count(), 1);
      await page.getByRole('button', { name: /^Sign in again/ }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The focus goes back once the dialog has gone.
      await page.waitForFunction(() => document.activeElement !== document.body);
      assert.equal(await focused(page), 'Gender');
    }));
});
