import { describe, it } from 'node:test';
import { workbookOf } from '../support/workbooks.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { open, service } = await openConsole();
/** One import of a company runs at a time: no other file imports into this one. */
const { token: ADMIN } = bringCompany(service, 32, (field) => `The ${field}`);

/** A row of texts, as programs write them that keep none apart. */
const inline = (prefix: string, ...texts: readonly string[]) =>
  `<${prefix}row>${texts.map((text) => `<${prefix}c t="inlineStr"><${prefix}is><${prefix}t>${text}</${prefix}t></${prefix}is></${prefix}c>`).join('')}</${prefix}row>`;

describe('people from an Excel workbook', () => {
  it("the demo's untidy workbook is read and checked by one click, with lines to fix", () =>
    open('/people/import', 'admin@acme.example', async (page) => {
      await page.getByRole('button', { name: 'Try it with an untidy workbook' }).click();
      await page.getByLabel('Department: R&D').waitFor();
      await page
        .locator('[data-testid=summary][aria-busy=false]')
        .getByText(/[1-9] new, .* [1-9] to fix\./)
        .waitFor();
      const names = page.getByLabel('Names of the columns').locator('option:checked');
      await names.getByText('Line 3: First Name · Surname').waitFor({ state: 'attached' });
    }));

  it('an Excel workbook is read as its cells show the values, from the first visible sheet', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, cell, row, column } = importPage(page);
      const head = ['E-mail', 'First name', 'Last name', 'DOB', 'PIN', 'Mobile', 'Approval limit', 'Status'];
      const strings = [
        ...head.map((name) => `<t>${name}</t>`),
        '<t>w1@globex.example</t>',
        '<r><t>Zo</t></r><r><rPr><b/></rPr><t>ë</t></r><rPh sb="0" eb="1"><t>x</t></rPh>',
        '<t xml:space="preserve"> Lee &amp; Co_x005F_ </t>',
        '<t>w2@globex.example</t>',
        '<t>Flat 2_x000D_\nTower B</t>',
      ];
      const header = head.map((_, at) => `<c r="${'ABCDEFGH'[at]}2" t="s"><v>${at}</v></c>`).join('');
      await choose(
        workbookOf({
          sheets: {
            '.Lists': inline('', 'Not this one'),
            People:
              `<row r="2">${header}</row><row r="4">` +
              '<c r="A4" t="s"><v>8</v></c><c r="B4" t="s"><v>9</v></c><c r="C4" t="s"><v>10</v></c><c r="D4" s="1"><v>33238</v></c>' +
              '<c r="E4" s="2"><v>120</v></c><c r="F4" s="3"><v>919845012345</v></c><c r="G4" s="4"><v>25000.5</v></c>' +
              '<c r="H4" t="b"><f>TRUE()</f><v>1</v></c></row>' +
              '<row r="5"><c r="A5" t="s"><v>11</v></c><c r="C5" t="s"><v>12</v></c><c r="E5" t="e"><v>#N/A</v></c></row>' +
              '<row r="6"><c r="A6" t="str"><f>A5</f><v>w3@globex.example</v></c><c r="I6"><v>1</v></c></row>',
            More: inline('', 'Nor this'),
          },
          strings,
          formats: ['dd/mm/yyyy;@', '00000', '"+"00 00000 00000', '"₹"#,##0.00'],
        }),
      );
      await assertBecomes(() => page.getByLabel('Sheet of the workbook').inputValue(), 'People');
      await checked(1, 0, 0, 2);
      const values = [
        'E-mail',
        'First name',
        'Last name',
        'Date of birth',
        'PIN code',
        'Phone',
        'Approval limit',
        'Status',
      ];
      await assertBecomes(
        () => Promise.all(values.map((name) => cell(name, 4).inputValue())),
        [...['w1@globex.example', 'Zoë', 'Lee & Co_', '1990-12-31', '00120', '+91 98450 12345', '25000.5', 'true']],
      );
      await row(5).getByText('5. Needs fixing: Approval limit').waitFor();
      await page.getByRole('note').getByText('Line 5: PIN code: Use 3 to 12 letters or digits.').waitFor();
      await row(6).getByText('First name is empty.').waitFor();
      await assertBecomes(() => cell('E-mail', 6).inputValue(), 'w3@globex.example');
      // A cell beyond the header is shown as a column without a name, and goes nowhere.
      await assertBecomes(() => column('Column 9').locator('option:checked').textContent(), 'Leave out');
    }));

  it('a workbook of another program with prefixes, no cell references and days from 1904 is read', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose, checked, cell, run } = importPage(page);
      await choose(
        workbookOf({
          prefix: 'x:',
          countsFrom1904: true,
          formats: ['yyyy-mm-dd'],
          sheets: {
            Sheet1:
              inline('x:', 'Email', 'Vorname', 'Nachname', 'Geburtsdatum') +
              '<x:row><x:c t="inlineStr"><x:is><x:t>w4@globex.example</x:t></x:is></x:c>' +
              '<x:c t="str"><x:v>Åsa</x:v></x:c><x:c t="str"><x:v>Ö</x:v></x:c><x:c s="1"><x:v>31776</x:v></x:c></x:row>',
          },
        }),
      );
      await checked(1, 0, 0, 0);
      await assertBecomes(() => cell('Date of birth', 2).inputValue(), '1990-12-31');
      await assertBecomes(() => page.getByLabel('Sheet of the workbook').count(), 0);
      await run.click();
      await page.getByText('1 person added').waitFor();
    }));

  it('an unreadable workbook is refused with advice on saving', () =>
    open('/people/import', ADMIN, async (page) => {
      const { choose } = importPage(page);
      const whole = workbookOf({ sheets: { People: inline('', 'email') } });
      for (const bytes of [
        Buffer.from([0x50, 0x4b, 0x03, 0x04]),
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
        whole.subarray(0, whole.length - 30),
        workbookOf({ sheets: { '.Hidden': inline('', 'email') } }),
        workbookOf({ sheets: { Missing: '<row><c t="s"><v>7</v></c></row>' } }),
      ]) {
        await choose('email\r\n');
        await page.getByText('There are no lines in this file').waitFor();
        await choose(bytes);
        await page.getByText('This workbook cannot be read').waitFor();
      }
    }));
});
