import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, startBrowser, type Visit, visit } from './browser.ts';
import { startService } from './service.ts';

const service = await startService();
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
});
const { address } = service;

interface Person {
  email: string;
  name: string;
  active: boolean;
  token: string;
}
const answer = (await (await fetch(`${address}/console/config`)).json()) as { data: { people: Person[] } };
const { people } = answer.data;

function personWith(email: string): Person {
  return people.find((person) => person.email === email) ?? assert.fail(email);
}

/** Opens a path, as somebody where one is named, and closes it with a look at what went wrong meanwhile. */
async function open(
  path: string,
  email: string | undefined,
  look: (page: Page, visited: Visit) => Promise<void>,
  options = {},
) {
  const visited = await visit(browser, address, options);
  const fragment = email === undefined ? '' : `#token=${personWith(email).token}`;
  await visited.page.goto(`${address}${path}${fragment}`);
  await look(visited.page, visited);
  assert.deepEqual(visited.foreign, [], 'asked other hosts');
  assert.deepEqual(visited.complaints, [], 'complaints of the page');
  await visited.page.context().close();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const OFFERED: Record<string, string[]> = {
  'super.admin@orgdesk.example': ['Profile', 'Companies', 'Geography'],
  'platform.rm@orgdesk.example': ['Profile', 'Companies', 'Geography'],
  'admin@acme.example': ['Profile', 'Departments', 'Approval policies', 'Geography'],
  'manager@acme.example': ['Profile', 'Departments', 'Approval policies', 'Geography'],
  'employee@acme.example': ['Profile', 'Geography'],
  'admin@globex.example': ['Profile', 'Departments', 'Approval policies', 'Geography'],
};

describe('sign-in', () => {
  for (const [email, pages] of Object.entries(OFFERED)) {
    it(`${email} signs in with one click, and is offered just what they may see`, () =>
      open('/', undefined, async (page) => {
        await page.getByRole('button', { name: email }).click();
        await heading(page, 'Profile');
        const offered = page.getByRole('navigation').getByRole('link');
        assert.deepEqual(
          (await offered.allTextContents()).map((text) => text.trim()),
          pages,
        );
        await page.getByRole('button', { name: 'Sign out' }).click();
        await heading(page, 'Sign in');
      }));
  }

  it('somebody who is deactivated is told that the service refuses them', () =>
    open('/', undefined, async (page) => {
      await page.getByRole('button', { name: 'inactive@acme.example' }).click();
      await page.getByRole('alert').getByText('unknown or deactivated').waitFor();
    }));

  it('each link that the start prints signs in, and its token leaves the address bar at once', async () => {
    const links = service.welcome.match(/http\S+#token=\S+/g) ?? [];
    assert.equal(links.length, people.length);
    const visited = await visit(browser, address);
    await visited.page.goto(links[4] ?? '');
    await heading(visited.page, 'Profile');
    assert.equal(visited.page.url(), `${address}/profile`);
    const kept = await visited.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    assert.doesNotMatch(kept, /eyJ/);
    await visited.page.context().close();
  });

  it('a page that one may not see says why, when one comes by a link', async () => {
    await open('/companies', 'employee@acme.example', (page) =>
      page.getByText('Only Super Admins and Platform RMs').waitFor(),
    );
    await open('/policies', 'super.admin@orgdesk.example', (page) =>
      page.getByText('Only Corporate Admins and Managers').waitFor(),
    );
    await open('/departments', undefined, (page) => heading(page, 'Sign in to see departments'));
  });

  it('a token that has run out asks to sign in again, and nothing typed is lost', () =>
    open('/profile', 'employee@acme.example', async (page) => {
      await page.getByLabel('Gender').fill('Typed before');
      const refuse = {
        status: 401,
        json: { success: false, message: 'The access token has expired.', code: 'INVALID_TOKEN', requestId: 'x' },
      };
      await page.route('**/api/users/update-profile', (route) => route.fulfill(refuse), { times: 1 });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByText('The access token has expired.').waitFor();
      await page.getByRole('button', { name: /^Sign in again as/ }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Gender').inputValue(), 'Typed before');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your profile is saved.').waitFor();
    }));
});

describe('profile', () => {
  const EMAIL = 'manager@acme.example';
  it('says field by field what the service would say, saves, and shows that it has', () =>
    open('/profile', EMAIL, async (page) => {
      await page.getByLabel('Phone').fill('12');
      await page.getByLabel('Phone').blur();
      await page.getByText('phone must be an optional +, then 7 to 15 digits').waitFor();
      await page.getByLabel('PIN code').fill('!');
      await page.getByRole('button', { name: 'Save' }).click();
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'phone');
      await page.getByLabel('Phone').fill('+91 98765 43210');
      await page.getByLabel('PIN code').fill('411 001');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your profile is saved.').waitFor();
      await page.reload();
      await page.getByRole('button', { name: EMAIL }).click();
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=phone]')?.value === '+91 98765 43210',
      );
    }));

  it('keeps what is not saved while one looks elsewhere, and warns before it would be lost', () =>
    open('/profile', EMAIL, async (page) => {
      await page.getByLabel('First name').fill('Unsaved');
      await page.getByRole('link', { name: 'Geography' }).click();
      await heading(page, 'Geography');
      await page.getByRole('link', { name: /^Profile/ }).click();
      assert.equal(await page.getByLabel('First name').inputValue(), 'Unsaved');
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.close({ runBeforeUnload: true });
      for (let tries = 0; asked.length < 2 && tries < 50; tries++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(asked, ['confirm', 'beforeunload']);
    }));

  it('a change made elsewhere meanwhile is shown, not overwritten, and what was typed is kept', () =>
    open('/profile', EMAIL, async (page) => {
      await page.getByLabel('Gender').fill('Typed here');
      const headers = { authorization: `Bearer ${personWith(EMAIL).token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ gender: 'Set there', lastName: 'Elsewhere', addressLine2: 'kept' });
      assert.equal((await fetch(`${address}/api/users/update-profile`, { method: 'POST', headers, body })).status, 200);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('was changed elsewhere since you began').waitFor();
      await page.getByText('Changed elsewhere to “Set there”').waitFor();
      assert.equal(await page.getByLabel('Last name').inputValue(), 'Elsewhere');
      assert.equal(await page.getByLabel('Gender').inputValue(), 'Typed here');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your profile is saved.').waitFor();
      assert.equal(await page.getByLabel('Address, second line').inputValue(), 'kept');
    }));

  it('shows hostile texts as texts', () =>
    open('/profile', EMAIL, async (page) => {
      const hostile = '<img src=x onerror=alert(1)>\u202Egnp';
      await page.getByLabel('First name').fill(hostile);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your profile is saved.').waitFor();
      await page.getByRole('banner').getByText(hostile).waitFor();
      assert.equal(await page.locator('img').count(), 0);
    }));
});

describe('lists', () => {
  it('companies are searched as one types, filtered and paged, and the address holds it all', () =>
    open('/companies', 'super.admin@orgdesk.example', async (page) => {
      const rows = page.getByRole('table').getByRole('row');
      await rows.nth(10).waitFor();
      await page.getByLabel('Rows on a page').selectOption('25');
      await rows.nth(25).waitFor();
      await page.getByLabel('Search', { exact: true }).pressSequentially('ACME', { delay: 20 });
      await page.waitForURL(/search=ACME/);
      await page.getByTestId('count').getByText('1–1 of 1').waitFor();
      await page.getByText('₹75,00,000').waitFor();
      await page.getByLabel('Active companies only').check({ force: true });
      await page.waitForURL(/activeOnly=true/);
      assert.equal(page.url(), `${address}/companies?limit=25&search=ACME&activeOnly=true`);
      await page.getByLabel('Search', { exact: true }).fill('nothing has this name');
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await page.goBack();
    }));

  it('departments show their budgets and people', () =>
    open('/departments', 'admin@acme.example', async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'Legal' });
      await row.getByText('₹91,00,000').waitFor();
      await row.getByRole('cell', { name: '5', exact: true }).waitFor();
    }));

  it('an amount that is tried says under each policy who approves it', () =>
    open('/policies', 'admin@acme.example', async (page) => {
      const policy = page.getByRole('article').filter({ hasText: 'Domestic travel' });
      const tried = async (amount: string, approvers: string) => {
        await page.getByLabel('Try an amount').fill(amount);
        await policy.getByTestId('approval').getByText(approvers, { exact: true }).waitFor();
      };
      await tried('₹75,000', '₹75,000: Manager, then Corporate Admin');
      await tried('74999.99', '₹74,999.99: Manager');
      await tried('14,999.99', '₹14,999.99: approved automatically');
      await page.getByLabel('Try an amount').fill('1.234');
      await page.getByText('An amount is digits').waitFor();
    }));

  it('what fails can be tried again', () =>
    open('/companies', 'platform.rm@orgdesk.example', async (page) => {
      await page.getByRole('table').waitFor();
      await page.route('**/api/companies/list?*', (route) => route.abort());
      await page.getByLabel('Search', { exact: true }).fill('globex');
      await page.getByText('The service does not answer').waitFor();
      await page.unroute('**/api/companies/list?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByTestId('count').getByText('1–1 of 1').waitFor();
    }));
});

describe('geography', () => {
  it('leads from the countries to the states and cities, by the keyboard alone', () =>
    open('/geography', undefined, async (page) => {
      await page.getByRole('link', { name: /^India/ }).waitFor();
      await page.getByLabel('Filter countries').focus();
      await page.keyboard.type('india');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByLabel('Filter states').focus();
      await page.getByLabel('Filter states').fill('maharas');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/country=\d+&state=\d+/);
      await page.getByLabel('Filter cities').fill('pune');
      await page.getByText('Pune', { exact: true }).waitFor();
      await page.getByText('Open Database License').waitFor();
    }));

  it('finds a city of the world as one types', () =>
    open('/geography', undefined, async (page) => {
      await page.getByLabel('Search all cities').pressSequentially('bogota', { delay: 20 });
      await page
        .getByTestId('found')
        .getByText(/^\d+ cities with “bogota”/)
        .waitFor();
      await page
        .getByRole('link', { name: /^Bogotá/ })
        .first()
        .click();
      await page.waitForURL(/country=\d+&state=\d+$/);
    }));
});

describe('accessibility', () => {
  const PAGES: readonly (readonly [path: string, email: string | undefined, ready: string])[] = [
    ['/', undefined, 'Sign in'],
    ['/profile', 'admin@acme.example', 'Profile'],
    ['/companies', 'super.admin@orgdesk.example', 'Companies'],
    ['/departments', 'admin@acme.example', 'Departments'],
    ['/policies', 'admin@acme.example', 'Approval policies'],
    ['/geography?country=101&state=4026', undefined, 'Geography'],
    ['/geography?search=bogota', undefined, 'Geography'],
    ['/companies', 'employee@acme.example', 'Companies are not open to you'],
  ];
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`axe-core finds no fault on any page in ${colorScheme} colours, at three widths, and none scrolls sideways`, async () => {
      for (const [path, email, ready] of PAGES) {
        for (const width of [390, 1024, 1600]) {
          await open(
            path,
            email,
            async (page) => {
              await heading(page, ready);
              await page.waitForLoadState('networkidle');
              assert.deepEqual(await accessibilityFaults(page), [], `${path} at ${width}`);
              assert.equal(
                await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
                0,
                `${path} at ${width}`,
              );
            },
            { width, colorScheme },
          );
        }
      }
    });
  }

  it('would find a fault that is there', () =>
    open('/geography', undefined, async (page) => {
      await page.evaluate(() => document.body.append(document.createElement('button')));
      assert.match((await accessibilityFaults(page)).join(), /button-name/);
    }));
});
