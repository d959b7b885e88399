import { heading, openConsole } from './console.ts';
import { confirm, type Day, dialogOf, go, itLivesTheDays, press, send, table } from './days.ts';
import { bringCompany } from './own-company.ts';

const ADMIN: Day['day'] = async (page, { look, name, say }) => {
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@own-4.example`;
  const form = dialogOf(page);
  await table(page);
  await look('people');
  await press(page, say('Add a person'));
  await look('a person that is added');
  await form.getByLabel(say('First name')).fill('Nila');
  await form.getByLabel(say('Last name')).fill(name);
  await form.getByLabel(say('E-mail')).fill(email);
  await form.getByRole('button', { name: say('Add a person') }).click();
  await heading(page, `Nila ${name}`);
  await look('a person');
  await page.getByRole('switch', { name: say('Manager') }).press('Space');
  await page
    .getByRole('status')
    .filter({ hasText: say('Manager') })
    .waitFor();
  await press(page, new RegExp(`^${say('Edit')}`));
  await look('a person that is changed');
  await form.getByLabel(say('Approval limit')).fill('150000');
  await send(page, say('Save'));
  await confirm(page, say('Deactivate'));
  await page.getByRole('button', { name: say('Reactivate') }).waitFor();
  await look('somebody who is deactivated');
  await page
    .getByRole('navigation', { name: say('Pages above this one') })
    .getByRole('link', { name: say('People') })
    .click();
  await page.getByRole('link', { name: say('Import people') }).click();
  await page
    .locator('main textarea')
    .first()
    .fill(`E-mail\tFirst name\tLast name\nnone\tA\tB\n${email}\tNila\tRenamed`);
  await page.locator('[data-testid=summary][aria-busy=false]').waitFor();
  await look('people that are imported');
  await go(page, say, 'Departments');
  await press(page, say('Add a department'));
  await form.getByLabel(say('Department')).fill(name);
  await form.getByLabel(say('Cost code')).fill(name);
  await form.getByLabel(say('Budget')).fill('2 crore');
  await look('a department that is added');
  await send(page, say('Add a department'));
  await look('departments');
  await confirm(page, say('Delete'), name);
  await go(page, say, 'Bands');
  await press(page, new RegExp(`^${say('Edit')}`));
  await look('a band that is changed');
  await form.getByRole('button', { name: say('Cancel') }).click();
  await go(page, say, 'Approval policies');
  await press(page, say('Add an approval policy'));
  await form.getByLabel(say('Name')).fill(name);
  await form.getByLabel(say('Priority')).fill('7');
  await form.getByRole('button', { name: say('Add a level') }).click();
  await form.getByLabel(say('Level 1: from')).fill('50k');
  await look('a policy that is added');
  await form.getByRole('button', { name: say('Add an approval policy') }).click();
  await heading(page, name);
  await look('a policy');
  await confirm(page, say('Delete'));
  await go(page, say, 'API keys');
  await press(page, say('Create API key'));
  await form.getByLabel(say('Name')).fill(name);
  await form.getByLabel(say('Read people')).check({ force: true });
  await form.getByRole('button', { name: say('Create API key') }).click();
  await form.locator('code').waitFor();
  await look('a key that is made');
  await send(page, say('Done'));
  await confirm(page, say('Revoke'), name);
  await look('keys');
  await go(page, say, 'Webhooks');
  await press(page, say('Add a webhook'));
  await form.getByLabel(say('URL')).fill('https://8.8.8.8/days');
  await look('a webhook that is added');
  await form.getByRole('button', { name: say('Add a webhook') }).click();
  await form.getByRole('button', { name: say('Done') }).click();
  await heading(page, 'https://8.8.8.8/days');
  await look('a webhook');
  await confirm(page, say('Delete'));
  await go(page, say, 'Company');
  await press(page, new RegExp(`^${say('Edit')}`));
  await look('a company that is changed');
  await form.getByLabel(say('E-mail of the company')).fill(email);
  await send(page, say('Save'));
  await page.getByText(email).waitFor();
  await look('company');
};

const SUPER_ADMIN: Day['day'] = async (page, { look, name, say }) => {
  const form = dialogOf(page);
  const short = name.replaceAll(' ', '-').toUpperCase();
  await table(page);
  await press(page, say('Add a company'));
  await form.getByRole('textbox', { name: say('Company'), exact: true }).fill(name);
  await form.getByLabel(say('Legal name')).fill(`${name} Limited`);
  await form.getByLabel(say('GSTIN')).fill(short);
  await form.getByLabel(say('E-mail of the company')).fill(`office@${short.toLowerCase()}.example`);
  await form
    .getByRole('group', { name: say('First admin (optional)') })
    .getByLabel(say('E-mail'))
    .fill(`first@${short.toLowerCase()}.example`);
  await form.getByLabel(say('First name')).fill('Meera');
  await form.getByLabel(say('Last name')).fill('Joshi');
  await look('a company that is added');
  await form.getByRole('button', { name: say('Add a company') }).click();
  await heading(page, name);
  await look('a company');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${say('People')}: `) })
    .click();
  await page.getByRole('link', { name: 'Meera Joshi' }).click();
  // Next to the list where there is room, else on a page.
  await page.getByRole('heading', { name: 'Meera Joshi' }).first().waitFor();
  await look('its first admin');
  await page.goBack();
  await page.goBack();
  await confirm(page, say('Close the company'));
  await page.getByRole('button', { name: say('Reopen') }).waitFor();
  await look('a company that is closed');
  for (const [list, lead] of [
    ['API keys', 'The keys of all companies, and those of the platform, which reach every company.'],
    ['Webhooks', 'The webhooks of all companies, and those that are sent the changes of every company.'],
  ] as const) {
    await go(page, say, list);
    await heading(page, say(list));
    await page.getByText(say(lead)).waitFor();
    await look(list);
  }
  await go(page, say, 'History');
  await table(page);
  await look('history');
};

const console = await openConsole();
const { token } = bringCompany(console.service, 4, (field) => `The ${field}`);
itLivesTheDays(console, [
  { role: 'a Corporate Admin', path: '/people', who: token, day: ADMIN },
  { role: 'a Super Admin', path: '/companies', who: 'super.admin@orgdesk.example', day: SUPER_ADMIN },
]);
