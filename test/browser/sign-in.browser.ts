import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deferred } from '../../src/lib/deferred.ts';
import { assertBecomes, intercept, visit } from './browser.ts';
import { answerQuestion, heading, openConsole, refuseToken, signOut } from './console.ts';

const { service, address, browser, people, open } = await openConsole();

const ADMINS = [
  'Overview',
  'Profile',
  'People',
  'Company',
  'Departments',
  'Bands',
  'Approval policies',
  'History',
  'API keys',
  'Webhooks',
  'Geography',
];
const OFFERED: Record<string, string[]> = {
  'super.admin@orgdesk.example': ['Overview', 'Profile', 'Companies', 'History', 'API keys', 'Webhooks', 'Geography'],
  'platform.rm@orgdesk.example': ['Overview', 'Profile', 'Companies', 'History', 'Geography'],
  'admin@acme.example': ADMINS,
  'manager@acme.example': ADMINS.filter((name) => name !== 'API keys' && name !== 'Webhooks'),
  'employee@acme.example': ['Profile', 'History', 'Geography'],
  'admin@globex.example': ADMINS,
};

describe('sign-in on the demo', () => {
  for (const [email, pages] of Object.entries(OFFERED)) {
    it(`${email} signs in with one click, sees exactly the offered pages, and signs out`, () =>
      open('/', undefined, async (page) => {
        await page.getByRole('button', { name: email }).click();
        await heading(page, pages[0] === 'Overview' ? 'Overview' : 'Profile');
        const menu = page.getByRole('navigation', { name: 'Pages' });
        const offered = menu.getByRole('link');
        await assertBecomes(
          async () =>
            (await offered.allTextContents()).map((text) => text.trim()).filter((name) => name !== 'API reference'),
          pages,
        );
        for (const name of pages) {
          await menu.getByRole('link', { name, exact: true }).click();
          // That of a company has its name.
          if (name === 'Company') await page.getByRole('heading', { level: 2, name: 'Figures' }).waitFor();
          else await heading(page, name);
          await page.waitForLoadState('networkidle');
          await assertBecomes(() => page.getByRole('alert').count(), 0, name);
        }
        await signOut(page);
        await heading(page, 'Sign in');
      }));
  }

  it('a deactivated person who signs in sees the refusal of the service', () =>
    open('/', undefined, async (page) => {
      await page.getByRole('button', { name: 'inactive@acme.example' }).click();
      await page.getByRole('alert').getByText('unknown or deactivated').waitFor();
    }));

  it('each sign-in link printed at the start signs in, and its token leaves the address bar', async () => {
    const links = service.welcome.match(/http\S+#token=\S+/g) ?? [];
    assert.equal(links.length, people.length);
    for (const [at, link] of links.entries()) {
      const visited = await visit(browser, address);
      await visited.page.goto(link);
      const isResponsible = /^(admin|manager|super\.admin|platform\.rm)@/.test(people[at]?.email ?? '');
      const [title, path] = isResponsible ? ['Overview', 'overview'] : ['Profile', 'profile'];
      if (people[at]?.active) await heading(visited.page, title);
      else await visited.page.getByRole('alert').getByText('unknown or deactivated').waitFor();
      assert.equal(visited.page.url(), `${address}/${people[at]?.active ? path : ''}`);
      const kept = await visited.page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
      );
      assert.doesNotMatch(kept, /eyJ/);
      await visited.page.context().close();
    }
  });

  it('a link to a page opens that page after the sign-in', () =>
    open('/departments', undefined, async (page) => {
      await heading(page, 'Sign in to see departments');
      await page.getByRole('button', { name: 'manager@acme.example' }).click();
      await heading(page, 'Departments');
    }));

  it('a page without access explains why', async () => {
    await open('/companies', 'employee@acme.example', (page) =>
      page.getByText('Only Super Admins and Platform RMs').waitFor(),
    );
    await open('/policies', 'super.admin@orgdesk.example', (page) =>
      page.getByText('Only Corporate Admins and Managers').waitFor(),
    );
    const globex = '3fad956a-6f93-489b-8eb1-38af0acb7201';
    await open(`/departments?companyId=${globex}`, 'manager@acme.example', (page) =>
      page.getByText('in which you are neither Corporate Admin nor Manager').waitFor(),
    );
  });

  it('a service that does not respond is reported, and can be retried', () =>
    open('/geography', undefined, async (page) => {
      const pass = await intercept(page, '**/console/config', (route) => route.abort());
      await page.goto(`${address}/`);
      await page.getByRole('alert').getByText('Can’t reach the service').waitFor();
      pass();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'employee@acme.example' }).waitFor();
    }));
});

describe('a token that has run out', () => {
  it('an expired token leads to a sign-in dialog, and typed text is kept', () =>
    open('/profile', 'employee@acme.example', async (page) => {
      await page.getByLabel('Gender').fill('Typed before');
      await refuseToken(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByText('The access token has expired.').waitFor();
      await page.getByRole('button', { name: /^Sign in again as/ }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await assertBecomes(() => page.getByLabel('Gender').inputValue(), 'Typed before');
      await page.getByTestId('outcome').getByText('Your changes are not saved.').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
    }));

  it('an expired token leaves the list with its filters after signing in again', () =>
    open('/policies', 'admin@acme.example', async (page) => {
      await page.getByLabel('Try an amount').fill('75,000');
      await page.getByTestId('approval').first().waitFor();
      await refuseToken(page, { path: '/api/approval-policies/list?*' });
      await page.getByLabel('Search', { exact: true }).fill('domestic');
      await page.getByRole('button', { name: /^Sign in again as/ }).click();
      await page.getByRole('article').filter({ hasText: 'Domestic travel' }).first().getByText('₹75,000:').waitFor();
      await assertBecomes(() => page.getByLabel('Search', { exact: true }).inputValue(), 'domestic');
    }));

  it('signing out with an expired token asks before typed text would be lost', () =>
    open('/profile', 'employee@acme.example', async (page) => {
      await page.getByLabel('Gender').fill('Not to be lost');
      await refuseToken(page);
      await page.getByRole('button', { name: 'Save' }).click();
      const out = page.getByRole('dialog').getByRole('button', { name: 'Sign out instead' });
      await out.click();
      assert.match(await answerQuestion(page, 'No'), /unsaved changes/);
      await out.click();
      await answerQuestion(page, 'Yes');
      await heading(page, 'Sign in');
    }));
});

describe('after somebody has signed out', () => {
  const [FORMER, NEXT] = ['employee@acme.example', 'admin@globex.example'];

  for (const [what, path] of [
    ['a save', '/api/users/update-profile'],
    ['a read of the profile after a save', '/api/users/profile'],
  ] as const) {
    it(`${what} in progress at the sign-out shows nothing of the former person to the next`, () =>
      open('/profile', FORMER, async (page) => {
        const former = people.find(({ email }) => email === FORMER) ?? assert.fail();
        const next = people.find(({ email }) => email === NEXT) ?? assert.fail();
        const held = deferred();
        const sent = deferred();
        await page.getByLabel('Gender').waitFor();
        await page.route(`**${path}*`, async (route) => {
          if (route.request().headers().authorization !== `Bearer ${former.token}`) return route.continue();
          sent.resolve();
          await held.promise;
          // The page may have given it up.
          return route.continue().catch(() => undefined);
        });
        await page.getByLabel('Gender').fill('Late');
        await page.getByRole('button', { name: 'Save' }).click();
        await sent.promise;
        await signOut(page);
        await answerQuestion(page, 'Yes');
        await page.getByRole('button', { name: NEXT }).click();
        await page.getByRole('link', { name: /^Profile/ }).click();
        await page.getByLabel('First name').waitFor();
        held.resolve();
        await new Promise((resolve) => setTimeout(resolve, 500));
        const shown = await page.evaluate(() => document.body.innerText);
        const typed = await page
          .locator('input')
          .evaluateAll((inputs) => (inputs as HTMLInputElement[]).map((input) => input.value));
        assert.ok(shown.includes(next.name) || typed.join(' ').includes(next.name.split(' ')[0] ?? ''));
        for (const word of [FORMER, former.name]) assert.ok(!`${shown} ${typed.join(' ')}`.includes(word), word);
      }));
  }
});
