import { heading, openConsole, openPolicy, signOut } from './console.ts';
import { type Day, go, itLivesTheDays, openMenu, press, table } from './days.ts';

const EMPLOYEE: Day['day'] = async (page, { look, name, say }) => {
  await heading(page, say('Profile'));
  await look('profile');
  await page.getByLabel(say('Gender')).fill(name);
  await page.getByRole('button', { name: say('Save') }).click();
  await page.getByText(say('Profile saved.')).waitFor();
  await look('profile that is saved');
  await go(page, say, 'History');
  await table(page);
  await look('history');
  await go(page, say, 'Geography');
  await page.getByRole('link', { name: /^India/ }).click();
  await page.getByRole('link', { name: /^Karnataka/ }).click();
  await page.getByText('Afzalpur').waitFor();
  await look('geography');
  await page.getByLabel(say('Search all cities')).fill('pune');
  await page.getByTestId('found').waitFor();
  await look('cities that are found');
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await openMenu(page, say);
  await press(page, say('Go to …'));
  await page.getByLabel(say('A page')).fill('prof');
  await look('the way anywhere');
  await page.keyboard.press('Enter');
  await heading(page, say('Profile'));
  await signOut(page, say);
  await heading(page, say('Sign in'));
  await look('signed out');
};

const MANAGER: Day['day'] = async (page, { look, say }) => {
  await table(page);
  await page.getByLabel(say('Search'), { exact: true }).fill('employee@acme');
  await page.getByTestId('count').getByText(say('1–1 of 1')).waitFor();
  await look('people');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: say('What they may approve') }).waitFor();
  await look('a person');
  await page
    .getByRole('main')
    .getByRole('link', { name: say('History') })
    .click();
  await heading(page, say('History'));
  await look('history of a person');
  await go(page, say, 'Company');
  await heading(page, 'Acme');
  await look('company');
  for (const list of ['Departments', 'Bands']) {
    await go(page, say, list);
    await heading(page, say(list));
    await table(page);
    await look(list);
  }
  await go(page, say, 'Approval policies');
  await page.getByLabel(say('Try an amount')).fill('75000');
  await page.getByTestId('approval').first().waitFor();
  await look('policies');
  await openPolicy(page, 'Domestic travel');
  await page.getByLabel(say('Amount of the booking')).fill('60k');
  await page.getByTestId('evaluation').waitFor();
  await look('who approves');
};

const RM: Day['day'] = async (page, { look, say }) => {
  await table(page);
  await look('companies');
  await page.getByLabel(say('Search'), { exact: true }).fill('acme');
  await page.getByTestId('count').getByText(say('1–1 of 1')).waitFor();
  await page.getByRole('link', { name: 'Acme', exact: true }).click();
  await heading(page, 'Acme');
  await look('a company');
  await page
    .getByRole('main')
    .getByRole('link', { name: say('History') })
    .click();
  await heading(page, say('History'));
  await look('history of a company');
  await page.goto(`${new URL(page.url()).origin}/keys`);
  await page.getByRole('link', { name: say('Go to your profile') }).waitFor();
  await look('what is not open');
};

itLivesTheDays(await openConsole(), [
  { role: 'an Employee', path: '/profile', who: 'employee@acme.example', day: EMPLOYEE },
  { role: 'a Manager', path: '/people', who: 'manager@acme.example', day: MANAGER },
  { role: 'a Platform RM', path: '/companies', who: 'platform.rm@orgdesk.example', day: RM },
]);
