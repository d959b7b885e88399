import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Locator } from 'playwright-core';
import { addPerson } from './add-person.ts';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { answerQuestion, heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';
import { assertVisibleAndAccessible } from './visible.ts';

const { address, service, open } = await openConsole();
const { ask } = apiOf(address);
const { token, company } = bringCompany(service, 2, (field) => `The ${field}`);

it('a confirmation dialog keeps its text until it closes', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 2, 'Asha');
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const texts = document.querySelectorAll('[role=dialog] h2, [role=dialog] button');
        for (const text of texts) seen.add(text.textContent ?? '');
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    assert.deepEqual(seen.filter(Boolean).sort(), ['Cancel', 'Deactivate']);
  }));

it('an action that fails after Escape has closed its confirmation is reported by a notice', async () => {
  await ask('/api/cost-centers/create', token, { companyId: company, name: 'Fleet', code: 'F' });
  await open(`/resources/cost-centers?companyId=${company}`, token, async (page) => {
    const json = { success: false, message: 'It is in use.', code: 'X', requestId: 'x' };
    await intercept(page, '**/api/cost-centers/delete', async (route) => {
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await route.fulfill({ status: 400, json });
    });
    await page.getByRole('button', { name: /^Delete: .*Fleet/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('It is in use.').waitFor();
  });
});

it('a notice lets a click through to the control below', () =>
  open(
    `/people?companyId=${company}`,
    token,
    async (page) => {
      await addPerson(page, 2, 'Vikram');
      const control = page.getByRole('switch', { name: 'Manager' });
      await control.press('Space');
      const notice = page.getByRole('status').filter({ hasText: 'Manager role added.' });
      await notice.waitFor();
      // The switch goes to where the notice is.
      const place = (await notice.boundingBox()) ?? assert.fail();
      const [x, y] = await control.evaluate(
        (input, wanted) => {
          const drawn = (input as HTMLInputElement).labels?.[0] ?? input;
          const before = drawn.getBoundingClientRect();
          scrollBy(0, before.top + before.height / 2 - wanted);
          const { left, top, height } = drawn.getBoundingClientRect();
          return [left + 5, top + height / 2] as const;
        },
        place.y + place.height / 2,
      );
      assert.ok(x > place.x && y > place.y && y < place.y + place.height, `${y} is not below the notice`);
      await page.mouse.click(x, y);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove role' }).click();
      await page.getByText('Manager role removed.').waitFor();
    },
    { width: 390 },
  ));

it('a form focuses its first field, and asks before it closes with typed text', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    const form = page.getByRole('dialog');
    // As where a browser suppresses the questions of a page.
    await page.evaluate('window.confirm = () => false');
    const add = page.getByRole('button', { name: 'Add a person' });
    await add.click();
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await add.click();
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.type('Ravi');
    await assertBecomes(() => form.getByLabel('First name').inputValue(), 'Ravi');
    await page.keyboard.press('Escape');
    assert.match(await answerQuestion(page, 'No'), /^Close without saving\?/);
    await form.getByRole('button', { name: 'Close' }).click();
    await answerQuestion(page, 'No');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await assertVisibleAndAccessible(page, 'a question');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await assertBecomes(() => form.getByLabel('First name').inputValue(), 'Ravi');
    await page.keyboard.press('Escape');
    await answerQuestion(page, 'Yes');
    await form.waitFor({ state: 'detached' });
  }));

it('after a level is removed, the focus is at the next one, else at the one before, else at the button that adds one', () =>
  open(`/policies?companyId=${company}`, token, async (page) => {
    await page.getByRole('button', { name: 'Add an approval policy' }).click();
    const form = page.getByRole('dialog');
    const add = form.getByRole('button', { name: 'Add a level' });
    const remove = async (level: number, focused: Locator) => {
      await form.getByRole('button', { name: `Remove level ${level}` }).press('Enter');
      await assertBecomes(() => focused.evaluate((control) => control === document.activeElement), true);
    };
    for (const _ of [1, 2, 3]) await add.click();
    await remove(1, form.getByLabel('Level 1: approver'));
    await remove(2, form.getByLabel('Level 1: approver'));
    await remove(1, add);
  }));

it('a dialog with a new API key asks before Escape closes the dialog', () =>
  open(`/keys?companyId=${company}`, token, async (page) => {
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await form.getByLabel('Name').fill('Nightly export');
    await form.getByRole('checkbox', { name: 'Read people' }).press('Space');
    await form.getByRole('button', { name: 'Create API key' }).click();
    await form.getByText('odk_').waitFor();
    await page.keyboard.press('Escape');
    assert.match(await answerQuestion(page, 'No'), /not shown again/);
    await form.getByText('odk_').waitFor();
    await form.getByRole('button', { name: 'Done' }).click();
    await form.waitFor({ state: 'detached' });
  }));

it('a form whose person changed elsewhere takes over the untouched fields and shows the others', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 2, 'Kiran');
    // One deed, one notice, also where it leads to another page.
    await assertBecomes(
      () =>
        page
          .getByRole('status')
          .filter({ hasText: /(added|saved)\./ })
          .count(),
      1,
    );
    const id = page.url().split('/').at(-1);
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Gender').fill('Mine');
    await ask('/api/users/update', token, { id, gender: 'Theirs', addressLine1: '4, Lake View Road' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^.?The first The last.? changed this while you were editing\./).waitFor();
    await form.getByText(/^Changed by .?The first The last.? to: Theirs$/).waitFor();
    await assertBecomes(() => form.getByLabel('Gender').inputValue(), 'Mine');
    await assertBecomes(() => form.getByLabel('Address', { exact: true }).inputValue(), '4, Lake View Road');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('4, Lake View Road').waitFor();
    await page.getByText('Mine', { exact: true }).waitFor();
    // One deed, one notice.
    await assertBecomes(() => page.getByRole('status').filter({ hasText: 'saved.' }).count(), 1);
  }));

it('a form whose department changed elsewhere shows the author before it overwrites', () =>
  open(`/departments?companyId=${company}`, token, async (page) => {
    const form = page.getByRole('dialog');
    const [read] = await Promise.all([
      page.waitForResponse(/\/api\/departments\/get/),
      page.getByRole('button', { name: /^Edit/ }).click(),
    ]);
    const { data } = (await read.json()) as { data: { id: string } };
    await form.getByLabel('Budget').fill('77');
    await ask('/api/departments/update', token, { id: data.id, budget: '55', costCode: 'theirs' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Changed by .?The first The last.? to: 55$/).waitFor();
    await assertBecomes(() => form.getByLabel('Cost code').inputValue(), 'theirs');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '₹77' }).first().waitFor();
  }));

it('a form with typed text asks before Back or a link leaves the page', () =>
  open('/overview', token, async (page) => {
    await page.getByRole('link', { name: 'Departments', exact: true }).click();
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: /^Edit/ }).click();
    await form.getByLabel('Cost code').fill('typed');
    const goBack = () => page.evaluate(() => history.back());
    await goBack();
    await answerQuestion(page, 'No');
    await page.waitForURL(/\/departments/);
    await form.getByRole('link', { name: /^History/ }).click();
    await answerQuestion(page, 'No');
    await assertBecomes(() => form.getByLabel('Cost code').inputValue(), 'typed');
    await goBack();
    await answerQuestion(page, 'Yes');
    await heading(page, 'Overview');
    await form.waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('button', { name: /^Edit/ }).click();
    await form.getByLabel('Cost code').fill('typed');
    await form.getByRole('link', { name: /^History/ }).click();
    await answerQuestion(page, 'Yes');
    await heading(page, 'History');
  }));
