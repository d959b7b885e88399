import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { answerQuestion, openConsole } from './console.ts';
import { importPage, MESSY } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { open, address, tokenOf, service } = await openConsole();
const { ask, personLike } = apiOf(address);
/** One import of a company runs at a time: no other file imports into these. */
const ACME = tokenOf('admin@acme.example');
const { company, token: OWN } = bringCompany(service, 37, (field) => `The ${field}`);
const HEAD = 'email,firstName,lastName';

describe('people from a spreadsheet', () => {
  it("a company's messy table is imported after eight corrections", () =>
    open('/people/import', ACME, async (page) => {
      const { choose, checked, correct, column, cell, run } = importPage(page);
      await choose(MESSY);
      await checked(14, 0, 0, 16);
      await assertBecomes(() => column('Mobile No.').inputValue(), 'phone');
      await assertBecomes(() => column('Full Name').inputValue(), '');
      await page.getByText('12/03/1990 → 12 Mar 1990').waitFor();
      await assertBecomes(() => page.getByLabel('Dates').inputValue(), 'day-first');
      await page.getByLabel('Show').selectOption({ label: 'Needs fixing (16)' });
      // Lines are drawn where they are near what is seen.
      await page.getByRole('table', { name: 'Lines' }).scrollIntoViewIfNeeded();
      const everywhere = async (name: string, line: number, text: string) => {
        await correct(name, line, text);
        await page.getByRole('button', { name: /^Also in other lines/ }).click();
        await page.getByRole('button', { name: /^Also in other lines/ }).waitFor({ state: 'detached' });
      };
      await correct('E-mail', 11, 'henrik.vestergaard@acme.example');
      await correct('E-mail', 16, 'lukasz.wisniewski@acme.example');
      await correct('E-mail', 27, 'uma.thurman@acme.example');
      await everywhere('Department', 11, 'Engineering');
      await everywhere('Band', 12, 'B2');
      await everywhere('Approval limit', 7, '0');
      await everywhere('Approval limit', 8, '0');
      await everywhere('Approval limit', 11, '0');
      await checked(30, 0, 0, 0);
      await assertBecomes(() => cell('Last name', 11).inputValue(), 'Vestergaard');
      await run.click();
      await page.getByText('30 people added, 0 updated, 0 unchanged.').waitFor();
      await page.getByRole('link', { name: 'View people' }).click();
      await page.getByRole('table').waitFor();
      const anneliese = await personLike('anneliese.muller', ACME);
      assert.equal(anneliese?.lastName, 'Müller');
      assert.equal(anneliese?.approvalLimit, '25000.00');
      const whole = await ask<{ dateOfBirth: string; phone: string; pincode: string; gender: string }>(
        `/api/users/get?id=${anneliese?.id}`,
        ACME,
      );
      assert.deepEqual(
        [whole.dateOfBirth, whole.phone, whole.pincode, whole.gender],
        ['1990-03-12T00:00:00.000Z', '+919845000000', '560001', 'F'],
      );
    }));

  it('where mails are set up, an import without invitations says so to the service', () =>
    open('/people/import', OWN, async (page) => {
      await intercept(page, '**/console/config*', async (route) => {
        const answer = await route.fetch();
        const { data, ...envelope } = await answer.json();
        await route.fulfill({ response: answer, json: { ...envelope, data: { ...data, mails: true } } });
      });
      await page.goto('about:blank');
      await page.goto(`${address}/people/import#token=${OWN}`);
      const { choose, checked, run } = importPage(page);
      await choose([HEAD, 'uninvited@own-37.example,Given,Family'].join('\r\n'));
      await checked(1, 0, 0, 0);
      await page.getByRole('switch', { name: 'Invite new people' }).press('Space');
      await checked(1, 0, 0, 0);
      const imported = page.waitForRequest((request) => /users\/import\?(?!.*dryRun=true)/.test(request.url()));
      await run.click();
      assert.equal(new URL((await imported).url()).searchParams.get('invite'), 'false');
      await page.getByText('1 person added, 0 updated, 0 unchanged.').waitFor();
    }));

  it('a press of the button that imports while a cell is edited imports what was typed, or leaves the focus at the cell if that has a problem', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, cell, run } = importPage(page);
      await choose([HEAD, 'pressed@own-37.example,Given,Family'].join('\r\n'));
      await checked(1, 0, 0, 0);
      await cell('First name', 2).fill('');
      await run.click();
      await checked(0, 0, 0, 1);
      await assertBecomes(() => cell('First name', 2).evaluate((box) => box === document.activeElement), true);
      await assertBecomes(() => run.isDisabled(), true);
      await cell('First name', 2).fill('Pressed');
      await cell('First name', 2).press('Enter');
      await checked(1, 0, 0, 0);
      await cell('First name', 2).fill('Once');
      await run.click();
      await page.getByText('1 person added, 0 updated, 0 unchanged.').waitFor();
      assert.equal((await personLike('pressed@own-37', OWN))?.firstName, 'Once');
    }));

  it('a correction is applied to all lines with the same value, also after a failed check', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, correct, cell } = importPage(page);
      const lines = ['one', 'two', 'three'].map((name) => `${name}@own-37.example,Given,Family,ten`);
      await choose([`${HEAD},Approval limit`, ...lines].join('\r\n'));
      await checked(0, 0, 0, 3);
      // An Enter that ends the composition of a character settles nothing.
      await cell('Approval limit', 3).fill('1');
      await cell('Approval limit', 3).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      await cell('Approval limit', 3).fill('ten');
      await cell('Approval limit', 3).press('Enter');
      await assertBecomes(() => page.getByRole('button', { name: /^Also in other lines/ }).count(), 0);
      const json = { success: false, message: 'The database is busy.', code: 'UNAVAILABLE', requestId: 'x' };
      // Nothing is asked again by itself before the test is over.
      const answer = { status: 503, json, headers: { 'retry-after': '3600' } };
      const pass = await intercept(page, '**/api/users/import?*', (route) => route.fulfill(answer));
      await correct('Approval limit', 2, '0');
      await page.getByRole('alert').getByText('The database is busy.').waitFor();
      await page.getByRole('button', { name: 'Also in other lines (2)' }).click();
      await assertBecomes(() => cell('Approval limit', 4).inputValue(), '0');
      pass();
      await checked(3, 0, 0, 0);
    }));

  it('an import matches people by their address alone, and an accent makes another address', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, row, run } = importPage(page);
      await choose(`E-mail,First name,Last name,Approval limit\r\nádmin@own-37.example,José,Díaz,900000\r\n`);
      await checked(1, 0, 0, 0);
      await run.click();
      await page.getByText('1 person added').waitFor();
      await choose(`${HEAD}\r\nADMIN@own-37.example,Ada,Other\r\nnobody@own-37.example,,\r\n`);
      await checked(0, 1, 0, 1);
      await row(2)
        .getByText(/→ Ada$/)
        .waitFor();
      await row(3).getByText('First name is empty.').waitFor();
      await choose(`${HEAD}\r\nadmin@acme.example,Ana,Lee\r\n`);
      await checked(0, 0, 0, 1);
      await row(2).getByText('Somebody outside the company has this already.').waitFor();
      await choose('email\r\nadmin@own-37.example\r\nnobody@own-37.example\r\n');
      await checked(0, 0, 1, 1);
      await row(3).getByText('Nobody has this e-mail address. A new person needs: First name, Last name.').waitFor();
    }));

  it('a table is read over plain http without crypto.randomUUID', () =>
    open('/people/import', OWN, async (page) => {
      await page.evaluate(() => Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined }));
      const { choose, checked } = importPage(page);
      await choose(`${HEAD}\r\nplain@own-37.example,Ana,Lee\r\n`);
      await checked(1, 0, 0, 0);
    }));

  it('a table is read in its encoding, and another encoding can be chosen', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, cell } = importPage(page);
      await choose(
        Buffer.from(`sep=;\r\nemail;firstName;lastName\r\nj@own-37.example;J\u00fcrgen;M\u00fcller\r\n`, 'latin1'),
      );
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('First name', 3).inputValue(), 'Jürgen');
      await choose(
        Buffer.concat([
          Buffer.from(`${HEAD}\r\nl@own-37.example,`),
          Buffer.from([0xa3, 0x75]),
          Buffer.from(',Kos\r\n'),
        ]),
      );
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('First name', 2).inputValue(), '£u');
      await page.getByLabel('Encoding of the file').selectOption('windows-1250');
      await page.locator('input[aria-label="First name, line 2"][value="Łu"]').waitFor();
      await choose(Buffer.from(`\ufeff${HEAD.replaceAll(',', '\t')}\r\nw@own-37.example\tÅsa\tÖ\r\n`, 'utf16le'));
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('Last name', 2).inputValue(), 'Ö');
      await assertBecomes(() => page.getByLabel('Encoding of the file').count(), 0);
    }));

  it('an import shows where a character of the file was already lost', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, correct, row, run } = importPage(page);
      await choose(`${HEAD}\r\nbjorn@own-37.example,Bj\ufffdrn,M\ufffdller\r\n`);
      await checked(0, 0, 0, 1);
      await assertBecomes(() => page.getByLabel('Encoding of the file').count(), 0);
      await assertBecomes(() => row(2).getByText('could not be read').count(), 2);
      await assertBecomes(() => run.isDisabled(), true);
      await correct('First name', 2, 'Björn');
      await correct('Last name', 2, 'Müller');
      await checked(1, 0, 0, 0);
      await run.click();
      await page.getByText('1 person added').waitFor();
      const person = await personLike('bjorn@own-37', OWN);
      assert.deepEqual([person?.firstName, person?.lastName], ['Björn', 'Müller']);
    }));

  it('broken lines are corrected, left out and put back, or read again from the corrected file', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, cell, row, run } = importPage(page);
      const head = 'email,firstName,lastName,addressLine1,pincode';
      const broken = 'a@b-c.example,Ana,Lee,12 Main Street, Flat 3,560001';
      await choose([head, broken, 'b@b-c.example,Bo,Lee,"1 Road",560001', '"c@b-c.example,Cy', ''].join('\r\n'));
      await checked(1, 0, 0, 2);
      await row(2).getByText('This line has more or fewer cells than the header.').waitFor();
      await row(4).getByText('A quote of this line is not closed.').waitFor();
      await assertBecomes(() => run.isDisabled(), true);
      const text = page.getByLabel('Text of line 2');
      await assertBecomes(() => text.inputValue(), broken);
      await text.fill('a@b-c.example,Ana,Lee,"12 Main Street, Flat 3",560001');
      await text.press('Enter');
      await checked(2, 0, 0, 1);
      await assertBecomes(() => cell('Address', 2).inputValue(), '12 Main Street, Flat 3');
      await page.getByRole('button', { name: 'Leave out line 4' }).click();
      await checked(2, 0, 0, 0);
      await page.getByRole('button', { name: 'Put left-out lines back (1)' }).click();
      await checked(2, 0, 0, 1);
      await page.getByRole('button', { name: 'Leave out line 4' }).click();
      await checked(2, 0, 0, 0);
      // Else browsers would not tell that the same file is chosen again.
      await assertBecomes(() => page.locator('input[type=file]').inputValue(), '');
      await choose(`${head}\r\na@b-c.example,Ana,Lee,"12 Main Street, Flat 4",560001\r\n`);
      await answerQuestion(page, 'Yes');
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('Address', 2).inputValue(), '12 Main Street, Flat 4');
    }));

  it('columns are assigned by hand, and the next file remembers the assignment', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, cell, column } = importPage(page);
      // A column that is full of addresses would be known without its name.
      await choose('Contact,Name,Notes\r\nmapped@own-37.example,"Lee, Ana",x\r\nno address,"Lee, Bo",y\r\n');
      await page
        .getByText('Choose the column with the e-mail address or the employee number: it tells who is who.')
        .waitFor();
      await column('Contact').selectOption('E-mail');
      await checked(0, 0, 0, 2);
      await page.getByRole('button', { name: 'Split into first and last name' }).click();
      await checked(1, 0, 0, 1);
      await assertBecomes(() => cell('First name', 2).inputValue(), 'Ana');
      await assertBecomes(() => cell('Last name', 2).inputValue(), 'Lee');
      await page.goto(`${address}/people/import?companyId=${company}#token=${OWN}`);
      await choose('Contact,Name\r\nmapped@own-37.example,Ana Lee\r\nno address,Bo Lee\r\n');
      await checked(1, 0, 0, 1);
      await choose('E-mail,Phone,phone,Vorname,Nachname\r\nx@own-37.example,+911234567,,Ana,Lee\r\n');
      await page.getByText('More than one column goes to Phone.').waitFor();
      await column('phone').selectOption('Leave out');
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('Phone', 2).inputValue(), '+911234567');
    }));

  it('ambiguous dates and amounts are read after one choice for each', () =>
    open('/people/import', OWN, async (page) => {
      const { choose, checked, row } = importPage(page);
      await choose(
        `${HEAD},DOB,Approval limit\r\nd1@own-37.example,A,B,03/04/1990,"25,000"\r\nd2@own-37.example,A,B,33238,60k\r\n`,
      );
      await checked(1, 0, 0, 1);
      await row(2).getByText('Choose above whether the day or the month comes first.').waitFor();
      await row(2).getByText('Choose above how amounts are written.').waitFor();
      await page.getByLabel('Dates', { exact: true }).selectOption('Month first: 12/31/1990');
      await page.getByText('03/04/1990 → 4 Mar 1990').waitFor();
      await page.getByLabel('Amounts').selectOption('1,234.50');
      await checked(2, 0, 0, 0);
      const leftOut = page.getByRole('note').getByText(/^Line 3: Date of birth:/);
      await leftOut.waitFor();
      await page.getByLabel('Numbers are dates of Excel').check({ force: true });
      await page.getByText('33238 → 31 Dec 1990').waitFor();
      await leftOut.waitFor({ state: 'detached' });
      await checked(2, 0, 0, 0);
    }));
});
