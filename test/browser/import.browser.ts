import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openConsole } from './console.ts';

const { open } = await openConsole();
/** Of a company whose numbers of people no other test looks at. */
const ADMIN = 'admin@globex.example';

/** Five hundred people as a spreadsheet has them, three of them with a fault. */
function table(): string {
  const lines = Array.from({ length: 500 }, (_, at) => {
    const email = at === 7 ? 'no address' : `brought.${at}@globex.example`;
    const department = at === 70 ? 'Unheard of' : 'Legal';
    const limit = at === 400 ? '12,34' : '60k';
    return [`Given ${at}`, `"Family, ${at}"`, email, department, `"${limit}"`, 'x'].join(',');
  });
  return ['First name,lastName,E-MAIL,Department,Approval limit,Shoe size', ...lines].join('\r\n');
}

it('people are brought in from a file: looked at first, mended on the page, then all or none', () =>
  open('/people', ADMIN, async (page) => {
    await page.getByRole('link', { name: 'Import people' }).click();
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table()) };
    await page.locator('input[type=file]').setInputFiles(file);
    const summary = page.getByTestId('summary');
    await summary.getByText('497 to add, 0 to change, 0 unchanged, 3 to correct.').waitFor();
    await page.getByText('These columns are not known and are left out: Shoe size.').waitFor();
    const run = page.getByRole('button', { name: 'Start the import' });
    assert.equal(await run.isDisabled(), true);
    const mend = async (wrong: string, right: string) => {
      const box = page.locator(`td input[value="${wrong}"]`);
      await box.fill(right);
      await box.press('Enter');
      await box.waitFor({ state: 'detached' });
    };
    await mend('no address', 'brought.7@globex.example');
    await mend('Unheard of', 'Legal');
    await mend('12,34', '1.5 lakh');
    await summary.getByText('500 to add, 0 to change, 0 unchanged, 0 to correct.').waitFor();
    // Somebody takes the address of one of them meanwhile.
    await page.route(
      '**/api/users/save',
      async (route) => {
        const { companyId, create } = route.request().postDataJSON();
        const [first] = create;
        const taken = { ...first, id: undefined, companyId };
        await page.request.post(`${new URL(page.url()).origin}/api/users/create`, {
          headers: { authorization: route.request().headers().authorization ?? '' },
          data: taken,
        });
        await route.continue();
      },
      { times: 1 },
    );
    await run.click();
    await page
      .getByRole('alert')
      .getByText(/^Nothing was added or changed/)
      .waitFor();
    await page.getByRole('cell', { name: 'Another user has this E-mail already.' }).waitFor();
    await summary.getByText('499 to add, 0 to change, 1 unchanged, 0 to correct.').waitFor();
    await run.click();
    await summary.getByText('Done: 499 lines.').waitFor();
    await page.goto(page.url().replace('/import', '').replace(/\?.*/, '?search=brought'));
    await page.getByTestId('count').getByText('of 500').waitFor();
  }));

it('what is pasted changes those who are there, by their address, and leaves the others as they are', () =>
  open('/people/import', 'admin@acme.example', async (page) => {
    await page
      .getByLabel(/^Or paste/)
      .fill('E-mail\tFirst name\nmanager@acme.example\tRenamed\nemployee@acme.example\t\n');
    const summary = page.getByTestId('summary');
    await summary.getByText('0 to add, 1 to change, 1 unchanged, 0 to correct.').waitFor();
    await page.getByRole('cell', { name: 'changes: First name' }).waitFor();
    await page.getByLabel(/^Or paste/).fill('First name\nA');
    await page.getByText('A column with the e-mail address is needed').waitFor();
  }));

/** A file as somebody chooses it. */
const chosen = (content: string | Buffer, name = 'people.csv') => ({
  ...{ name, mimeType: 'text/csv' },
  buffer: typeof content === 'string' ? Buffer.from(content) : content,
});

it('a broken line is told and not guessed, and can be left out; the corrected file can be chosen again', () =>
  open('/people/import', ADMIN, async (page) => {
    const input = page.locator('input[type=file]');
    const summary = page.getByTestId('summary');
    const lines = [
      'email,firstName,lastName,addressLine1,pincode',
      'a@b-c.example,Ana,Lee,12 Main Street, Flat 3,560001',
    ];
    await input.setInputFiles(chosen([...lines, '"b@b-c.example,Bo,Lee,1 Road,560001', ''].join('\r\n')));
    await page.getByText('This line has another number of cells than the first one.').waitFor();
    await page.getByText('A quote of this line is not closed.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start the import' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Leave line 3 out' }).click();
    await page.getByText('A quote of this line is not closed.').waitFor({ state: 'detached' });
    await input.setInputFiles(chosen(`${lines[0]}\r\na@b-c.example,Ana,Lee,"12 Main Street, Flat 3",560001\r\n`));
    await summary.getByText('1 to add, 0 to change, 0 unchanged, 0 to correct.').waitFor();
    await input.setInputFiles(chosen('E-mail,Phone,phone\r\na@b-c.example,+911234567,\r\n'));
    await page.getByText('These columns stand more than once: Phone, phone.').waitFor();
  }));

it('people are known by their address alone, and a text is read in the encoding that it has', () =>
  open('/people/import', ADMIN, async (page) => {
    const input = page.locator('input[type=file]');
    const summary = page.getByTestId('summary');
    await input.setInputFiles(chosen('email,firstName,lastName\r\nádmin@globex.example,José,Díaz\r\n'));
    await summary.getByText('1 to add, 0 to change, 0 unchanged, 0 to correct.').waitFor();
    await input.setInputFiles(chosen('email\r\nADMIN@globex.example\r\nnobody@globex.example\r\n'));
    await summary.getByText('0 to add, 0 to change, 1 unchanged, 1 to correct.').waitFor();
    await page.getByText('Nobody has this address. To add them, these are needed: First name, Last name.').waitFor();
    const latin = Buffer.from(
      'sep=;\r\nemail;firstName;lastName\r\nj@globex.example;J\u00fcrgen;M\u00fcller\r\n',
      'latin1',
    );
    await input.setInputFiles(chosen(latin));
    await page.getByText('It was read as Windows-1252').waitFor();
    await page.getByRole('cell', { name: 'Jürgen' }).waitFor();
  }));
