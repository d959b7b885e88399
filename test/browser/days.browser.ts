import { heading, openConsole } from './console.ts';
import { type Day, go, itLivesTheDays, openMenu, press, table } from './days.ts';

const EMPLOYEE: Day['day'] = async (page, { look, name }) => {
  await heading(page, 'Profile');
  await look('profile');
  await page.getByLabel('Gender').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Profile saved.').waitFor();
  await look('profile that is saved');
  await go(page, 'History');
  await table(page);
  await look('history');
  await go(page, 'Geography');
  await page.getByRole('link', { name: /^India/ }).click();
  await page.getByRole('link', { name: /^Karnataka/ }).click();
  await page.getByText('Afzalpur').waitFor();
  await look('geography');
  await page.getByLabel('Search all cities').fill('pune');
  await page.getByTestId('found').waitFor();
  await look('cities that are found');
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await openMenu(page);
  await press(page, /^Go to/);
  await page.getByLabel('A page, a person or an approval policy').fill('prof');
  await look('the way anywhere');
  await page.keyboard.press('Enter');
  await heading(page, 'Profile');
  await press(page, 'Sign out');
  await heading(page, 'Sign in');
  await look('signed out');
};

const MANAGER: Day['day'] = async (page, { look }) => {
  await table(page);
  await page.getByLabel('Search', { exact: true }).fill('employee@acme');
  await page.getByTestId('count').getByText('1–1 of 1').waitFor();
  await look('people');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'What they may approve' }).waitFor();
  await look('a person');
  await page.getByRole('main').getByRole('link', { name: 'History' }).click();
  await heading(page, 'History');
  await look('history of a person');
  await go(page, 'Company');
  await heading(page, 'Acme');
  await look('company');
  for (const list of ['Departments', 'Bands']) {
    await go(page, list);
    await heading(page, list);
    await table(page);
    await look(list);
  }
  await go(page, 'Approval policies');
  await page.getByLabel('Try an amount').fill('75,000');
  await page.getByTestId('approval').first().waitFor();
  await look('policies');
  await page.getByRole('link', { name: 'Domestic travel' }).click();
  await page.getByLabel('Amount of the booking').fill('60k');
  await page.getByTestId('evaluation').waitFor();
  await look('who approves');
};

const RM: Day['day'] = async (page, { look }) => {
  await table(page);
  await look('companies');
  await page.getByLabel('Search', { exact: true }).fill('acme');
  await page.getByTestId('count').getByText('1–1 of 1').waitFor();
  await page.getByRole('link', { name: 'Acme', exact: true }).click();
  await heading(page, 'Acme');
  await look('a company');
  await page.getByRole('main').getByRole('link', { name: 'History' }).click();
  await heading(page, 'History');
  await look('history of a company');
  await page.goto(`${new URL(page.url()).origin}/keys`);
  await heading(page, 'You don’t have access to API keys');
  await look('what is not open');
};

itLivesTheDays(await openConsole(), [
  { role: 'an Employee', path: '/profile', who: 'employee@acme.example', day: EMPLOYEE },
  { role: 'a Manager', path: '/people', who: 'manager@acme.example', day: MANAGER },
  { role: 'a Platform RM', path: '/companies', who: 'platform.rm@orgdesk.example', day: RM },
]);
