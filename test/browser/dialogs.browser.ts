import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { service, open, tokenOf } = await openConsole();
const { token, company, user } = bringCompany(service, 2, (field) => `The ${field}`);

/** Adds somebody, and is on their page then. */
async function addPerson(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a person' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('First name').fill(name);
  await form.getByLabel('Last name').fill('Rao');
  await form.getByLabel('E-mail').fill(`${name.toLowerCase()}@own-2.example`);
  await form.getByRole('button', { name: 'Add a person' }).click();
  await heading(page, `${name} Rao`);
}

it('a question is the same until it goes, whatever its button asks next', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 'Asha');
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

it('a notice lets presses through to what lies below it', () =>
  open(
    `/people?companyId=${company}`,
    token,
    async (page) => {
      await addPerson(page, 'Vikram');
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

it('whoever takes an approver away is told which policies work less far', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 'Meera');
    await page.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Approval limit').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const control = page.getByRole('switch', { name: 'Manager' });
    await control.press('Space');
    await page.getByText('Manager role added.').waitFor();
    assert.ok(await control.evaluate((box) => box === document.activeElement), 'the focus is lost');
    for (const begin of [
      () => control.press('Space'),
      () => page.getByRole('button', { name: 'Deactivate' }).click(),
    ]) {
      await begin();
      await dialog.getByText('fewer bookings can be approved').waitFor();
      await dialog.getByText(/The policy.?: up to ₹1, now up to ₹90$/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    assert.equal(await control.isChecked(), true);
  }));

it('the keys that an admin made can be revoked with their role, which is asked for twice, and so is giving it', async () => {
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return ((await (await fetch(`${service.address}${path}`, request)).json()) as { data: { revokedAt: string }[] })
      .data;
  };
  await ask('/api/api-keys/create', { name: 'Travel desk', scopes: ['users.read'], companyId: company });
  await open(`/keys?companyId=${company}`, token, async (page) => {
    await page
      .getByRole('row')
      .filter({ hasText: 'Travel desk' })
      .getByRole('link', { name: 'The first The last' })
      .click();
    await heading(page, 'The first The last');
  });
  await open(`/people/${user}`, 'super.admin@orgdesk.example', async (page) => {
    const control = page.getByRole('switch', { name: 'Corporate Admin' });
    const dialog = page.getByRole('dialog');
    await control.press('Space');
    await dialog.getByLabel('Revoke the API key they created').check();
    await dialog.getByText('Travel desk').waitFor();
    await dialog.getByRole('button', { name: 'Remove role' }).click();
    await page.getByText('Corporate Admin role removed.').waitFor();
    await control.press('Space');
    await dialog.getByText('manages the company, its people, policies and keys').waitFor();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await page.getByText('Corporate Admin role added.').waitFor();
  });
  const [key] = await ask(`/api/api-keys/list?companyId=${company}`);
  assert.ok(key?.revokedAt);
});

it('a new company says what is left to set up', () =>
  open(`/overview?companyId=${company}`, token, async (page) => {
    const left = page.getByRole('note').filter({ hasText: 'Left to set up' });
    await left.getByRole('link', { name: 'Add bands with their limits' }).waitFor();
    assert.equal(await left.getByRole('link', { name: 'Add an approval policy' }).count(), 0);
    await left.getByRole('link', { name: 'Add departments with their budgets' }).click();
    await heading(page, 'Departments');
  }));

it('a form begins at its first field, and is not closed without a question while something is typed', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    const form = page.getByRole('dialog');
    const asked: string[] = [];
    let answer = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (answer ? dialog.accept() : dialog.dismiss());
    });
    const add = page.getByRole('button', { name: 'Add a person' });
    await add.click();
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await add.click();
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.type('Ravi');
    assert.equal(await form.getByLabel('First name').inputValue(), 'Ravi');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Close' }).click();
    await form.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual([asked.length, await form.getByLabel('First name').inputValue()], [3, 'Ravi']);
    assert.match(asked[0] ?? '', /^Close without saving\?/);
    answer = true;
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  }));

it('a key that is shown once does not go by Escape without a question', () =>
  open(`/keys?companyId=${company}`, token, async (page) => {
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await form.getByLabel('Name').fill('Nightly export');
    await form.getByRole('checkbox', { name: 'Read people' }).press('Space');
    await form.getByRole('button', { name: 'Create API key' }).click();
    await form.getByText('odk_').waitFor();
    const asked = page.waitForEvent('dialog');
    await Promise.all([page.keyboard.press('Escape'), asked.then((dialog) => dialog.dismiss())]);
    assert.match((await asked).message(), /not shown again/);
    await form.getByText('odk_').waitFor();
    await form.getByRole('button', { name: 'Done' }).click();
    await form.waitFor({ state: 'detached' });
  }));

it('what somebody else saves meanwhile is kept: untouched fields take it, the others show it', () =>
  open(`/people?companyId=${company}`, token, async (page) => {
    await addPerson(page, 'Kiran');
    // One deed, one notice, also where it leads to another page.
    assert.equal(
      await page
        .getByRole('status')
        .filter({ hasText: /(added|saved)\./ })
        .count(),
      1,
    );
    const id = page.url().split('/').at(-1);
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Gender').fill('Mine');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id, gender: 'Theirs', addressLine1: '4, Lake View Road' });
    await fetch(`${service.address}/api/users/update`, { method: 'POST', headers, body });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^.?The first The last.? changed this while you were editing\./).waitFor();
    await form.getByText(/^Changed by .?The first The last.? to: Theirs$/).waitFor();
    assert.equal(await form.getByLabel('Gender').inputValue(), 'Mine');
    assert.equal(await form.getByLabel('Address', { exact: true }).inputValue(), '4, Lake View Road');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('4, Lake View Road').waitFor();
    await page.getByText('Mine', { exact: true }).waitFor();
    // One deed, one notice.
    assert.equal(await page.getByRole('status').filter({ hasText: 'saved.' }).count(), 1);
  }));

it('a department that somebody else changes meanwhile says by whom, and is not overwritten without a word', () =>
  open(`/departments?companyId=${company}`, token, async (page) => {
    const form = page.getByRole('dialog');
    const [read] = await Promise.all([
      page.waitForResponse(/\/api\/departments\/get/),
      page.getByRole('button', { name: /^Edit/ }).click(),
    ]);
    const { data } = (await read.json()) as { data: { id: string } };
    await form.getByLabel('Budget').fill('77');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: data.id, budget: '55', costCode: 'theirs' });
    await fetch(`${service.address}/api/departments/update`, { method: 'POST', headers, body });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Changed by .?The first The last.? to: 55$/).waitFor();
    assert.equal(await form.getByLabel('Cost code').inputValue(), 'theirs');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '₹77' }).waitFor();
  }));

it('what is typed is not lost by Back or a link in the dialog without a question', () =>
  open('/overview', token, async (page) => {
    await page.getByRole('link', { name: 'Departments', exact: true }).click();
    const form = page.getByRole('dialog');
    const asked: string[] = [];
    let answer = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (answer ? dialog.accept() : dialog.dismiss());
    });
    await page.getByRole('button', { name: /^Edit/ }).click();
    await form.getByLabel('Cost code').fill('typed');
    await page.evaluate(() => history.back());
    await page.waitForURL(/\/departments/);
    await form.getByRole('link', { name: /^History/ }).click();
    assert.equal(await form.getByLabel('Cost code').inputValue(), 'typed');
    assert.equal(asked.length, 2);
    answer = true;
    await page.goBack();
    await heading(page, 'Overview');
    await form.waitFor({ state: 'detached' });
    assert.equal(asked.length, 3);
  }));

it('what is the company’s default is marked, and says before one tries that it cannot be deleted', () =>
  open(`/bands?companyId=${company}`, token, async (page) => {
    await page.getByRole('cell').getByText('Default', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Delete/ }).click();
    const form = page.getByRole('dialog');
    await form.getByText('it is the company’s default').waitFor();
    assert.equal(await form.getByRole('button', { name: 'Delete' }).isDisabled(), true);
    await form.getByRole('link', { name: 'Choose another default' }).click();
    await heading(page, 'The company');
  }));

it('whose company is closed is told why the menu is shorter', async () => {
  const set = async (active: boolean) => {
    const authorization = `Bearer ${tokenOf('super.admin@orgdesk.example')}`;
    const body = JSON.stringify({ id: company, active });
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${service.address}/api/companies/update`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
  };
  await set(false);
  try {
    await open('/profile', token, async (page) => {
      await page.getByRole('note').getByText('Your company is deactivated.').waitFor();
      const menu = page.getByRole('navigation', { name: 'Pages' });
      for (const name of ['People', 'API keys', 'Webhooks']) {
        assert.equal(await menu.getByRole('link', { name, exact: true }).count(), 0, name);
      }
    });
  } finally {
    await set(true);
  }
});

it('what the service refuses is said in German too', () =>
  open(
    `/people/${user}`,
    token,
    async (page) => {
      await page.getByRole('switch', { name: 'Firmen-Admin' }).press('Space');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Rolle entziehen' }).click();
      await dialog.getByText('Das ist der letzte aktive Admin. Geben Sie die Rolle zuerst jemand anderem.').waitFor();
      await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    },
    { locale: 'de-DE' },
  ));

it('a filter that leaves nothing can be cleared, and Escape closes the menu of a phone', () =>
  open(
    `/people?companyId=${company}&role=MANAGER&inactiveOnly=true`,
    token,
    async (page) => {
      await page.getByText('Nothing matches').waitFor();
      assert.equal(await page.getByText('Try another spelling').count(), 0);
      await page.getByRole('button', { name: 'Clear search and filters' }).click();
      await page.getByRole('link', { name: 'The first The last' }).waitFor();
      const menu = page.getByRole('button', { name: 'Menu' });
      await menu.click();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' }).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await menu.getAttribute('aria-expanded'), 'false');
    },
    { width: 390 },
  ));
