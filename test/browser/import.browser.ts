import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { downloadedCsv, openConsole } from './console.ts';
import { importPage, MESSY } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { open, address, service, tokenOf } = await openConsole();
/** Of companies whose numbers of people no other test looks at. */
const [ADMIN, OTHER_ADMIN] = ['admin@globex.example', 'admin@acme.example'];
const HEAD = 'email,firstName,lastName';

/** Sends something to the service, as somebody. */
async function send<Data>(path: string, token: string, body?: object): Promise<Data> {
  const response = await fetch(`${address}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { success: boolean; data: Data };
  assert.equal(answer.success, true, JSON.stringify(answer));
  return answer.data;
}

interface ListedPerson {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  approvalLimit: string;
  roles: string[];
  active: boolean;
  department: { id: string };
}
async function personLike(search: string, token: string): Promise<ListedPerson | undefined> {
  const { companyId } = await send<{ companyId: string }>('/api/users/profile', token);
  const [person] = await send<ListedPerson[]>(`/api/users/list?companyId=${companyId}&search=${search}`, token);
  return person;
}

describe('people from a spreadsheet', () => {
  it('as companies keep it are imported after nine corrections', () =>
    open('/people/import', OTHER_ADMIN, async (page) => {
      const { choose, checked, correct, column, cell, run } = importPage(page);
      await choose(MESSY);
      await checked(12, 0, 0, 18);
      assert.equal(await column('Mobile No.').inputValue(), 'phone');
      assert.equal(await column('Full Name').inputValue(), '');
      await page.getByText('12/03/1990 → 12 Mar 1990').waitFor();
      assert.equal(await page.getByLabel('Dates').inputValue(), 'day-first');
      await page.getByLabel('Show').selectOption({ label: 'Needs fixing (18)' });
      const everywhere = async (name: string, line: number, text: string) => {
        await correct(name, line, text);
        await page.getByRole('button', { name: /^Also in other lines/ }).click();
        await page.getByRole('button', { name: /^Also in other lines/ }).waitFor({ state: 'detached' });
      };
      await correct('E-mail', 11, 'henrik.vestergaard@acme.example');
      await correct('E-mail', 16, 'lukasz.wisniewski@acme.example');
      await correct('E-mail', 27, 'uma.thurman@acme.example');
      await everywhere('Phone', 6, '');
      await everywhere('Department', 11, 'Engineering');
      await everywhere('Band', 12, 'B2');
      await everywhere('Approval limit', 7, '0');
      await everywhere('Approval limit', 8, '0');
      await everywhere('Approval limit', 11, '0');
      await checked(30, 0, 0, 0);
      assert.equal(await cell('Last name', 11).inputValue(), 'Vestergaard');
      await run.click();
      await page.getByText('30 people added, 0 updated, 0 unchanged.').waitFor();
      await page.getByRole('link', { name: 'View people' }).click();
      await page.getByRole('table').waitFor();
      const anneliese = await personLike('anneliese.muller', tokenOf(OTHER_ADMIN));
      assert.equal(anneliese?.lastName, 'Müller');
      assert.equal(anneliese?.approvalLimit, '25000.00');
      const whole = await send<{ dateOfBirth: string; phone: string; pincode: string; gender: string }>(
        `/api/users/get?id=${anneliese?.id}`,
        tokenOf(OTHER_ADMIN),
      );
      assert.deepEqual(
        [whole.dateOfBirth, whole.phone, whole.pincode, whole.gender],
        ['1990-03-12T00:00:00.000Z', '+91 98450 00000', '560001', 'F'],
      );
    }));

  it('are known by their address alone, accents and all', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, row, run } = importPage(page);
      await choose(`E-mail,First name,Last name,Approval limit\r\nádmin@globex.example,José,Díaz,900000\r\n`);
      await checked(1, 0, 0, 0);
      await run.click();
      await page.getByText('1 people added').waitFor();
      await choose(`${HEAD}\r\nADMIN@globex.example,Ada,Other\r\nnobody@globex.example,,\r\n`);
      await checked(0, 1, 0, 1);
      await row(2)
        .getByText(/→ Ada$/)
        .waitFor();
      await row(3).getByText('First name is empty.').waitFor();
      await choose(`${HEAD}\r\n${OTHER_ADMIN},Ana,Lee\r\n`);
      await checked(0, 0, 0, 1);
      await row(2).getByText('Somebody outside the company has this already.').waitFor();
      await choose('email\r\nadmin@globex.example\r\nnobody@globex.example\r\n');
      await checked(0, 0, 1, 1);
      await row(3).getByText('Nobody has this e-mail address. A new person needs: First name, Last name.').waitFor();
    }));

  it('is read over plain http as well, where browsers have no crypto.randomUUID', () =>
    open('/people/import', ADMIN, async (page) => {
      await page.evaluate(() => Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined }));
      const { choose, checked } = importPage(page);
      await choose(`${HEAD}\r\nplain@globex.example,Ana,Lee\r\n`);
      await checked(1, 0, 0, 0);
    }));

  it('in the encoding that it has, which can be chosen where it is not Unicode', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, cell } = importPage(page);
      await choose(
        Buffer.from(`sep=;\r\nemail;firstName;lastName\r\nj@globex.example;J\u00fcrgen;M\u00fcller\r\n`, 'latin1'),
      );
      await checked(1, 0, 0, 0);
      assert.equal(await cell('First name', 3).inputValue(), 'Jürgen');
      await choose(
        Buffer.concat([
          Buffer.from(`${HEAD}\r\nl@globex.example,`),
          Buffer.from([0xa3, 0x75]),
          Buffer.from(',Kos\r\n'),
        ]),
      );
      await checked(1, 0, 0, 0);
      assert.equal(await cell('First name', 2).inputValue(), '£u');
      await page.getByLabel('Encoding of the file').selectOption('windows-1250');
      await page.locator('input[aria-label="First name, line 2"][value="Łu"]').waitFor();
      await choose(Buffer.from(`\ufeff${HEAD.replaceAll(',', '\t')}\r\nw@globex.example\tÅsa\tÖ\r\n`, 'utf16le'));
      await checked(1, 0, 0, 0);
      assert.equal(await cell('Last name', 2).inputValue(), 'Ö');
      assert.equal(await page.getByLabel('Encoding of the file').count(), 0);
    }));

  it('whose lines are broken are not guessed: they are corrected, left out and put back, or read again from the mended file', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, cell, row, run } = importPage(page);
      const head = 'email,firstName,lastName,addressLine1,pincode';
      const broken = 'a@b-c.example,Ana,Lee,12 Main Street, Flat 3,560001';
      await choose([head, broken, 'b@b-c.example,Bo,Lee,"1 Road",560001', '"c@b-c.example,Cy', ''].join('\r\n'));
      await checked(1, 0, 0, 2);
      await row(2).getByText('This line has more or fewer cells than the header.').waitFor();
      await row(4).getByText('A quote of this line is not closed.').waitFor();
      assert.equal(await run.isDisabled(), true);
      const text = page.getByLabel('Text of line 2');
      assert.equal(await text.inputValue(), broken);
      await text.fill('a@b-c.example,Ana,Lee,"12 Main Street, Flat 3",560001');
      await text.press('Enter');
      await checked(2, 0, 0, 1);
      assert.equal(await cell('Address', 2).inputValue(), '12 Main Street, Flat 3');
      await page.getByRole('button', { name: 'Leave out line 4' }).click();
      await checked(2, 0, 0, 0);
      await page.getByRole('button', { name: 'Put left-out lines back (1)' }).click();
      await checked(2, 0, 0, 1);
      await page.getByRole('button', { name: 'Leave out line 4' }).click();
      await checked(2, 0, 0, 0);
      // Else browsers would not tell that the same file is chosen again.
      assert.equal(await page.locator('input[type=file]').inputValue(), '');
      page.once('dialog', (dialog) => void dialog.accept());
      await choose(`${head}\r\na@b-c.example,Ana,Lee,"12 Main Street, Flat 4",560001\r\n`);
      await checked(1, 0, 0, 0);
      assert.equal(await cell('Address', 2).inputValue(), '12 Main Street, Flat 4');
    }));

  it('goes where one sends each column, which is remembered for the next file', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, cell, column } = importPage(page);
      await choose('Contact,Name,Notes\r\nmapped@globex.example,"Lee, Ana",x\r\n');
      await page.getByText('Choose the column with the e-mail address: it tells who is who.').waitFor();
      await column('Contact').selectOption('E-mail');
      await checked(0, 0, 0, 1);
      await page.getByRole('button', { name: 'Split into first and last name' }).click();
      await checked(1, 0, 0, 0);
      assert.deepEqual(
        [await cell('First name', 2).inputValue(), await cell('Last name', 2).inputValue()],
        ['Ana', 'Lee'],
      );
      await page.reload();
      await choose('Contact,Name\r\nmapped@globex.example,Ana Lee\r\n');
      await checked(1, 0, 0, 0);
      await choose('E-mail,Phone,phone,Vorname,Nachname\r\nx@globex.example,+911234567,,Ana,Lee\r\n');
      await page.getByText('More than one column goes to Phone.').waitFor();
      await column('phone').selectOption('Leave out');
      await checked(1, 0, 0, 0);
      assert.equal(await cell('Phone', 2).inputValue(), '+911234567');
    }));

  it('has its dates and amounts read by one choice where they could mean two things', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, row } = importPage(page);
      await choose(
        `${HEAD},DOB,Approval limit\r\nd1@globex.example,A,B,03/04/1990,"25,000"\r\nd2@globex.example,A,B,33238,60k\r\n`,
      );
      await checked(0, 0, 0, 2);
      await row(2).getByText('Choose above whether the day or the month comes first.').waitFor();
      await row(2).getByText('Choose above how amounts are written.').waitFor();
      await page.getByLabel('Dates', { exact: true }).selectOption('Month first: 12/31/1990');
      await page.getByText('03/04/1990 → 4 Mar 1990').waitFor();
      await page.getByLabel('Amounts').selectOption('1,234.50');
      await checked(1, 0, 0, 1);
      await page.getByLabel('Numbers are dates of Excel').check({ force: true });
      await page.getByText('33238 → 31 Dec 1990').waitFor();
      await checked(2, 0, 0, 0);
    }));
});

it('5,000 lines are drawn as they are seen', () =>
  open('/people/import', ADMIN, async (page) => {
    const { choose, checked, correct } = importPage(page);
    const lines = Array.from({ length: 5000 }, (_, at) => {
      const lastName = at === 4990 ? '' : `Person ${at}`;
      return `many.${at}@globex.example,Many,${lastName},1990-12-31`;
    });
    await choose([`${HEAD},DOB`, ...lines, ''].join('\r\n'));
    await checked(4999, 0, 0, 1);
    const drawn = () => page.getByRole('table').getByRole('textbox').count();
    assert.ok((await drawn()) < 800, `${await drawn()} cells are drawn`);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.getByLabel('Last name, line 5,001', { exact: true }).waitFor();
    assert.ok((await drawn()) < 800, `${await drawn()} cells are drawn`);
    await page.getByLabel('Show').selectOption({ label: 'Needs fixing (1)' });
    assert.equal(await drawn(), 4);
    await correct('Last name', 4992, 'Mended');
    await checked(5000, 0, 0, 0);
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Last name, line 4,992',
    );
  }));

describe('the file that the page of people gives', () => {
  const { company, token, user } = bringCompany(service, 6, (field) => `The ${field}`);

  for (const [locale, button, run, people] of [
    ['en-IN', 'Download as CSV', 'Start the import', 'Manager, Employee'],
    ['de-DE', 'Als CSV herunterladen', 'Import starten', 'Führungskraft, Mitarbeiter/in'],
  ] as const) {
    it(`changes nothing as it is, and comes back with roles and status (${locale})`, async () => {
      const suffix = locale.slice(0, 2);
      for (const costCode of [`TWIN-1-${suffix}`, `TWIN-2-${suffix}`]) {
        await send('/api/departments/create', token, {
          companyId: company,
          name: `Twins ${suffix}`,
          costCode,
          budget: '1.00',
        });
      }
      const departments = await send<{ id: string; costCode: string }[]>(
        `/api/departments/list?companyId=${company}`,
        token,
      );
      const twin = departments.find(({ costCode }) => costCode === `TWIN-2-${suffix}`);
      const email = `twin.${suffix}@own-6.example`;
      const fields = { companyId: company, email, firstName: 'Zoë', lastName: 'Twin', departmentId: twin?.id };
      await send('/api/users/create', token, { ...fields, approvalLimit: '10000.00', phone: '+91 98450 12345' });
      await open(
        '/people',
        token,
        async (page) => {
          await page.getByRole('table').waitFor();
          const csv = await downloadedCsv(page, button);
          await page.getByRole('link', { name: /^(Import people|Personen importieren)$/ }).click();
          const summary = page.locator('[data-testid=summary][aria-busy=false]');
          const input = page.locator('input[type=file]');
          const file = (text: string) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
          await input.setInputFiles(file(csv));
          await summary
            .getByText(
              /^0 (new, 0 to update|neu, 0 zu ändern), [1-9]\d* (unchanged, 0 to fix|unverändert, 0 zu korrigieren)\./,
            )
            .waitFor();
          assert.equal(await page.getByRole('button', { name: run }).isDisabled(), true);
          const edited = csv
            .split('\r\n')
            .map((line) => {
              if (!line.includes(email)) return line;
              return line
                .replace(/Employee|Mitarbeiter\/in/, `"${people}"`)
                .replace(/,(Active|Aktiv),/, (_, word) => `,${word === 'Aktiv' ? 'Inaktiv' : 'Inactive'},`);
            })
            .join('\r\n');
          await input.setInputFiles(file(edited));
          await summary.getByText(/^0 (new, 1 to update|neu, 1 zu ändern)/).waitFor();
          await page.getByRole('button', { name: run }).click();
          await page.getByText(/^0 (people added, 1 updated|Personen hinzugefügt, 1 geändert)/).waitFor();
          const person = await personLike(email, token);
          assert.deepEqual(person?.roles, ['EMPLOYEE', 'MANAGER']);
          assert.equal(person?.active, false);
          assert.equal(person?.department.id, twin?.id);
          assert.notEqual(person?.id, user);
        },
        { locale },
      );
    });
  }

  it('can be begun with a template, whose columns are all known', () =>
    open('/people/import', token, async (page) => {
      const head = (await downloadedCsv(page, 'Download a template')).trim();
      const { choose, checked } = importPage(page);
      await choose(`${head}\r\nAna,Lee,ana@own-6.example,,The cost,The code,"1,00,000.00",Manager,1990-01-31,,,,\r\n`);
      await checked(1, 0, 0, 0);
      const left = page.getByRole('group', { name: 'Columns of the file' }).getByRole('combobox');
      for (const column of await left.all()) assert.notEqual(await column.inputValue(), '');
    }));
});
