import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { deferred } from '../../src/lib/deferred.ts';
import { waitUntil } from '../support/wait-until.ts';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, service, open } = await openConsole();
const { ask } = apiOf(address);
const { token, company } = bringCompany(service, 31, (field) => `True ${field}`);
const home = (page: string) => `/${page}?companyId=${company}`;

/** Adds somebody by the API. */
async function add(firstName: string): Promise<string> {
  const email = `${firstName.toLowerCase()}@own-31.example`;
  const body = { companyId: company, firstName, lastName: 'Rao', email };
  return (await ask<{ id: string }>('/api/users/create', token, body)).id;
}

const limitOf = async (id: string) =>
  (await ask<{ approvalLimit: string }>(`/api/users/get?id=${id}`, token)).approvalLimit;

/** Saves an approval limit in the form of a person's page. */
async function saveLimit(page: Page, limit: string): Promise<void> {
  await page.getByRole('button', { name: /^Edit/ }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Approval limit').fill(limit);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
}

describe('an undo', () => {
  it('an undo leaves a later change by another person, and names that person', async () => {
    const id = await add('Reverted');
    await open(`/people/${id}`, token, async (page) => {
      await saveLimit(page, '11000');
      await ask('/api/users/update', token, { id, approvalLimit: '99000.00' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/could not be undone.*True first True last.* has changed it since/).waitFor();
      assert.equal(await limitOf(id), '99000.00');
    });
  });

  it('an undo of many people reverts only those that nobody else has changed', async () => {
    const ids = [await add('Manya'), await add('Manyb')];
    await open(`${home('people')}&search=Many`, token, async (page) => {
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Edit 2 people' }).click();
      await page.getByRole('dialog').getByLabel('Approval limit').fill('22000');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('2 people changed.').waitFor();
      await ask('/api/users/update', token, { id: ids[0], approvalLimit: '7.00' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/1 person could not be changed: .*True first True last/).waitFor();
      assert.deepEqual(await Promise.all(ids.map(limitOf)), ['7.00', '0.00']);
    });
  });

  it('an undo of a role that another person has changed is refused', async () => {
    const id = await add('Roles');
    await open(`/people/${id}`, token, async (page) => {
      await page.getByRole('switch', { name: 'Manager' }).press('Space');
      await page.getByText('Manager role added.').waitFor();
      const role = { userId: id, companyId: company, role: 'MANAGER' };
      await ask('/api/users/revoke-role', token, role);
      await ask('/api/users/grant-role', token, role);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/has changed it since/).waitFor();
      const { roles } = await ask<{ roles: string[] }>(`/api/users/get?id=${id}`, token);
      assert.ok(roles.includes('MANAGER'), roles.join());
    });
  });
});

it('an attempt to add a policy keeps its idempotency key until the outcome is known', () =>
  open(home('policies'), token, async (page) => {
    const keys: (string | undefined)[] = [];
    await page.route('**/api/approval-policies/create', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length === 1) return route.abort();
      if (keys.length > 2) return route.continue();
      const errors = [{ field: 'name', code: 'TOO_LONG', message: 'name is too long.' }];
      const json = { success: false, message: 'Not valid.', code: 'INVALID_INPUT', errors, requestId: 'x' };
      return route.fulfill({ status: 400, json });
    });
    await page.getByRole('button', { name: 'Add an approval policy' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Once alone');
    await form.getByLabel('Priority').fill('50');
    const send = form.getByRole('button', { name: 'Add an approval policy' });
    await send.click();
    await form.getByText('Can’t reach the service.').waitFor();
    await send.click();
    await form.getByText('Check the highlighted fields.').waitFor();
    await form.getByLabel('Name').fill('Once only');
    await send.click();
    await heading(page, 'Once only');
    assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(keys[1], keys[0]);
    assert.notEqual(keys[2], keys[0]);
  }));

it('a dialog accepts no typing while it saves, and focuses the field again after a failure', async () => {
  const id = await add('Closed');
  await open(`/people/${id}`, token, async (page) => {
    const held = deferred();
    await intercept(
      page,
      '**/api/users/update',
      async (route) => {
        await held.promise;
        await route.fulfill({ status: 500, json: { success: false, message: 'No.', code: 'INTERNAL_ERROR' } });
      },
      1,
    );
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Gender').fill('Typed');
    await page.keyboard.press('Enter');
    await page.locator('[role=dialog] [inert]').waitFor({ state: 'attached' });
    await page.keyboard.type(' in vain');
    held.resolve();
    await form.getByTestId('outcome').waitFor();
    await assertBecomes(() => form.getByLabel('Gender').inputValue(), 'Typed');
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'gender');
  });
});

describe('Ctrl+K', () => {
  const label = 'A page, a person, a department or a policy';

  it("Ctrl+K opens the result for the text at Enter, not an earlier one's result", async () => {
    await add('Lakshmi');
    const naveen = await add('Naveen');
    await open(home('people'), token, async (page) => {
      await heading(page, 'People');
      await page.keyboard.press('Control+k');
      await page.getByLabel(label).fill('lakshmi');
      await page.getByRole('dialog').getByRole('option', { name: 'Lakshmi Rao' }).waitFor();
      await page.getByLabel(label).fill('naveen');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/people/${naveen}`);
    });
  });

  it('Ctrl+K opens nothing for an Enter that ends the composition of a character', () =>
    open(home('people'), token, async (page) => {
      await heading(page, 'People');
      await page.keyboard.press('Control+k');
      const box = page.getByLabel(label);
      await box.fill('bands');
      await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      await box.fill('departments');
      await page.getByRole('dialog').getByRole('option', { name: 'Departments', exact: true }).waitFor();
      await heading(page, 'People');
      await box.press('Enter');
      await heading(page, 'Departments');
    }));

  it('Ctrl+K finds departments, keys and actions, and carries out the chosen action', async () => {
    const id = await add('Leaver');
    await ask('/api/api-keys/create', token, { companyId: company, name: 'Payroll sync', scopes: ['users.read'] });
    await open(home('people'), token, async (page) => {
      await heading(page, 'People');
      const box = page.getByLabel(label);
      const find = async (text: string, link: string) => {
        await page.keyboard.press('Control+k');
        await box.fill(text);
        await page.getByRole('dialog').getByRole('option', { name: link }).waitFor();
      };
      await find('true dep', 'True department Department');
      await page.keyboard.press('Escape');
      await find('payroll', 'Payroll sync API key');
      await page.keyboard.press('Escape');
      await find('add a p', 'Add a person');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Add a person' }).waitFor();
      await page.keyboard.press('Escape');
      await find('deactivate leaver', 'Deactivate Leaver Rao');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/people/${id}*`);
      await page.getByRole('dialog', { name: 'Deactivate' }).waitFor();
      await page.keyboard.press('Escape');
      await find('dark', 'Use dark colours');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark');
    });
  });
});

it('a notice stays while focused or hovered, can be closed, and moves the focus to the heading', async () => {
  const id = await add('Notice');
  await open(`/people/${id}`, token, async (page) => {
    await page.clock.install();
    await page.getByRole('switch', { name: 'Manager' }).press('Space');
    const notice = page.getByRole('status').filter({ hasText: 'Manager role added.' });
    await notice.getByRole('button', { name: 'Undo' }).focus();
    await page.clock.fastForward(60_000);
    await assertBecomes(() => notice.count(), 1);
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.clock.runFor(1000);
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await page.getByRole('switch', { name: 'Manager' }).press('Space');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove role' }).click();
    const other = page.getByRole('status').filter({ hasText: 'Manager role removed.' });
    const box = (await other.boundingBox()) ?? assert.fail();
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.clock.fastForward(60_000);
    await assertBecomes(() => other.count(), 1);
    await page.mouse.move(10, 10);
    await page.clock.fastForward(60_000);
    await other.waitFor({ state: 'detached' });
  });
});

it('the keyboard focus is never hidden behind the header or the selection bar', async () => {
  for (let count = 0; count < 30; count++) await add(`Focus${count}`);
  await open(`${home('people')}&limit=100`, token, async (page) => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.getByLabel('Select all on this page').check();
    await page.getByTestId('selected').waitFor();
    const hidden: string[] = [];
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let stop = 0; stop < 40; stop++) {
        await page.keyboard.press(key);
        const text = await page.evaluate(() => {
          const focused = document.activeElement;
          if (!focused || focused === document.body || !focused.closest('table')) return undefined;
          const { left, top, width, height } = focused.getBoundingClientRect();
          const points = [0.1, 0.5, 0.9].map((part) => [left + Math.min(width / 2, 8), top + height * part] as const);
          const seen = points.some(([x, y]) => {
            const found = document.elementFromPoint(x, y);
            return found !== null && (focused.contains(found) || found.contains(focused));
          });
          return seen ? undefined : (focused.getAttribute('aria-label') ?? focused.textContent ?? '');
        });
        if (text !== undefined) hidden.push(`${key}: ${text}`);
      }
    }
    assert.deepEqual(hidden, []);
  });
});

it("an unknown language tag gives English, and a page's failure is not reported as a missing connection", () =>
  open('/geography', undefined, async (page, { complaints }) => {
    await heading(page, 'Geography');
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'languages', { value: ['C'] });
    });
    await page.reload();
    await heading(page, 'Geography');
    await page.getByRole('link', { name: /India/ }).first().waitFor();
    await page.addInitScript(() => {
      Intl.DateTimeFormat = class {
        constructor() {
          throw new RangeError('A fault of the page');
        }
      } as unknown as typeof Intl.DateTimeFormat;
    });
    await page.reload();
    await page.getByText('This page could not be shown.').waitFor();
    await assertBecomes(() => page.getByText('You may be offline').count(), 0);
    await waitUntil('the fault is reported', () => complaints.some((text) => text.includes('A fault of the page')));
    complaints.length = 0;
  }));
