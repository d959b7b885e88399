import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deferred } from '../../src/lib/deferred.ts';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { answerQuestion, asksBeforeLeaving, heading, openConsole, signOut } from './console.ts';

const { address, tokenOf, open } = await openConsole();
const { ask } = apiOf(address);

describe('profile', () => {
  const EMAIL = 'manager@acme.example';
  it('the profile reports each invalid field, and shows that it was saved', () =>
    open('/profile', EMAIL, async (page) => {
      await page.getByLabel('Phone').fill('12');
      await page.getByLabel('Phone').blur();
      await page.getByText('Enter a phone number with 7 to 15 digits, for example +91 98450 12345.').waitFor();
      await page.getByLabel('PIN code').fill('!');
      await page.getByRole('button', { name: 'Save' }).click();
      await assertBecomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'phone');
      await page.getByLabel('Phone').fill('+91 98765 43210');
      await page.getByLabel('PIN code').fill('411 001');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
      await assertBecomes(() => page.getByRole('button', { name: 'Save' }).isDisabled(), true);
      await page.reload();
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=phone]')?.value === '+919876543210',
      );
    }));

  it("the profile shows the service's error at the field concerned", () =>
    open('/profile', EMAIL, async (page) => {
      const message = 'gender must be something else.';
      const errors = [{ field: 'gender', code: 'INVALID_VALUE', message }];
      const json = {
        success: false,
        message: 'The input is not valid.',
        code: 'INVALID_INPUT',
        errors,
        requestId: 'x',
      };
      await intercept(page, '**/api/users/update-profile', (route) => route.fulfill({ status: 400, json }), 1);
      await page.getByLabel('Gender').fill('Anything');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Gender must be something else.', { exact: true }).waitFor();
      await assertBecomes(() => page.getByLabel('Gender').getAttribute('aria-invalid'), 'true');
      await assertBecomes(() => page.getByLabel('Gender').inputValue(), 'Anything');
    }));

  it('the profile in German shows the errors of page and service in German', () =>
    open(
      '/profile',
      EMAIL,
      async (page) => {
        await page.getByLabel('Telefon').fill('12');
        await page.getByLabel('Vorname').fill('');
        await page.getByLabel('Geschlecht').fill('x'.repeat(51));
        await page.getByRole('button', { name: 'Speichern' }).click();
        await page.getByText('Geben Sie eine Telefonnummer mit 7 bis 15 Ziffern ein').waitFor();
        await page.getByText('Vorname ist erforderlich.').waitFor();
        await page.getByText('Geschlecht: höchstens 50 Zeichen.').waitFor();
        await page.getByRole('button', { name: 'Verwerfen' }).click();
        const errors = [{ field: 'gender', code: 'INVALID_VALUE', message: 'gender must be something else.' }];
        const json = { success: false, message: 'Not valid.', code: 'INVALID_INPUT', errors, requestId: 'x' };
        await intercept(page, '**/api/users/update-profile', (route) => route.fulfill({ status: 400, json }), 1);
        await page.getByLabel('Geschlecht').fill('Anything');
        await page.getByRole('button', { name: 'Speichern' }).click();
        await page.getByText('Geschlecht: Dieser Wert wird nicht angenommen.').waitFor();
        await assertBecomes(() => page.getByText('must be').count(), 0);
      },
      { locale: 'de-DE' },
    ));

  it('the profile keeps typed text after too many requests, and saves the text later', () =>
    open('/profile', EMAIL, async (page) => {
      // Of the service, with when it may be repeated; then of a proxy that has no words of its own.
      const json = { success: false, message: 'Too many requests.', code: 'TOO_MANY_REQUESTS', requestId: 'x' };
      const save = page.getByRole('button', { name: 'Save' });
      await page.getByLabel('Gender').fill('Later');
      const refusals = [
        [{ status: 429, json, headers: { 'retry-after': '23' } }, 'Try again in 23 s.'],
        [{ status: 429, contentType: 'text/html', body: '<h1>429</h1>' }, 'Try again in a minute.'],
      ] as const;
      for (const [answer, reported] of refusals) {
        await intercept(page, '**/api/users/update-profile', (route) => route.fulfill(answer), 1);
        await save.click();
        await page.getByText(reported).waitFor();
        await assertBecomes(() => page.getByLabel('Gender').inputValue(), 'Later');
      }
      await save.click();
      await page.getByText('Profile saved.').waitFor();
    }));

  it('the profile keeps text typed while a save is in progress', () =>
    open('/profile', EMAIL, async (page) => {
      const held = deferred();
      await page.route('**/api/users/update-profile', async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.getByLabel('Gender').fill('First');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByLabel('Gender').fill('Second');
      await page.getByLabel('Address', { exact: true }).fill('12 Long Road');
      held.resolve();
      await page.getByText('Profile saved.').waitFor();
      await page.getByText('2 unsaved changes').waitFor();
      await assertBecomes(() => page.getByLabel('Gender').inputValue(), 'Second');
      await assertBecomes(() => page.getByText(/^Changed by /).count(), 0);
    }));

  it('the profile keeps unsaved text on other pages, and asks before the text would be lost', () =>
    open('/profile', EMAIL, async (page) => {
      await page.getByLabel('First name').fill('Unsaved');
      await page.getByRole('link', { name: 'Geography' }).click();
      await heading(page, 'Geography');
      await page.getByRole('img', { name: 'has unsaved changes' }).waitFor();
      await page.getByRole('link', { name: /^Profile/ }).click();
      await assertBecomes(() => page.getByLabel('First name').inputValue(), 'Unsaved');
      await signOut(page);
      assert.match(await answerQuestion(page, 'No'), /^You have unsaved changes of your profile/);
      assert.ok(await asksBeforeLeaving(page));
    }));

  it('the profile shows a change made elsewhere, and keeps the typed text', () =>
    open('/profile', EMAIL, async (page) => {
      await page.getByLabel('Gender').fill('Typed here');
      const change = { gender: 'Set there', pincode: '560 001', addressLine2: 'kept' };
      await ask('/api/users/update-profile', tokenOf(EMAIL), change);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/ changed this while you were editing\./).waitFor();
      await page.getByText(/^Changed by .* to: Set there$/).waitFor();
      await assertBecomes(() => page.getByLabel('PIN code').inputValue(), '560 001');
      await assertBecomes(() => page.getByLabel('Gender').inputValue(), 'Typed here');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
      await assertBecomes(() => page.getByLabel('Address, second line').inputValue(), 'kept');
    }));
});
