import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMPANY_ROLES } from '../../../src/entities/roles.ts';
import { matchColumns, splitName } from '../../../src/import/tables/columns.ts';
import { decimalOf, orderOf, readDate, readValue } from '../../../src/import/tables/values.ts';
import { shownNumber } from '../../../src/import/tables/workbook.ts';
import { roleName } from '../../../web/src/roles.ts';
import type { Catalogue } from '../../../web/src/translate.ts';
import { readCatalogues } from '../../../web/texts.ts';

const AS_IS = { dates: { order: undefined, serials: false }, decimal: undefined };
const match = (...header: string[]) => matchColumns(header, () => ['x'], {});

describe('columns of a spreadsheet', () => {
  it('the import recognises columns by their usual names in English and German', () => {
    const known =
      'Sr. No|Full Name|First Name |LAST NAME|Email ID|Mobile No.|Dept|Grade|DOB|Gender|Approval Limit|PIN Code|Remarks';
    assert.deepEqual(match(...known.split('|')), [
      '',
      '',
      'firstName',
      'lastName',
      'email',
      'phone',
      'department',
      'band',
      'dateOfBirth',
      'gender',
      'approvalLimit',
      'pincode',
      '',
    ]);
    const german =
      'Vorname|Nachname|E-Mail|Telefon|Abteilung|Karrierestufe|Genehmigungsgrenze|Rollen|Geburtsdatum|Geschlecht|Adresse|Adresszusatz|Postleitzahl|Status';
    assert.deepEqual(match(...german.split('|')), [
      'firstName',
      'lastName',
      'email',
      'phone',
      'department',
      'band',
      'approvalLimit',
      'roles',
      'dateOfBirth',
      'gender',
      'addressLine1',
      'addressLine2',
      'pincode',
      'active',
    ]);
    assert.deepEqual(match('id', 'departmentCostCode', 'bandCode', 'companyId', 'STRASSE', 'Straße'), [
      '',
      'department',
      'band',
      '',
      'addressLine1',
      'addressLine1',
    ]);
  });

  it('the import maps a column to ids if its values are ids of the service', () => {
    const ids = () => ['d23dea7a-7498-46ef-9bdf-27944b5296e9'];
    assert.deepEqual(matchColumns(['ID', 'departmentId', 'bandId'], ids, {}), ['id', 'departmentId', 'bandId']);
    assert.deepEqual(match('ID', 'Dept ID', 'bandId'), ['', 'department', 'band']);
  });

  it('the import maps a column to the field that was chosen for it before', () => {
    assert.deepEqual(
      matchColumns(['Full  Name', 'Notes'], () => [], { fullname: 'fullName', notes: 'gender' }),
      ['fullName', 'gender'],
    );
  });

  it('the import splits a full name at the last blank or at a comma, and marks doubtful results', () => {
    const split = (name: string) => {
      const { firstName, lastName, isDoubtful } = splitName(name);
      return [firstName, lastName, ...(isDoubtful ? ['doubtful'] : [])];
    };
    assert.deepEqual(split('Ana María Lee'), ['Ana María', 'Lee']);
    assert.deepEqual(split('Lee, Ana María'), ['Ana María', 'Lee']);
    assert.deepEqual(split('Ana'), ['Ana', '']);
    assert.deepEqual(split('John Smith Jr.'), ['John', 'Smith Jr.', 'doubtful']);
    assert.deepEqual(split('Rao, A., Ph.D.'), ['A.', 'Rao Ph.D.', 'doubtful']);
    assert.deepEqual(split('Dr. Asha Rao'), ['Asha', 'Rao', 'doubtful']);
    assert.deepEqual(split('Maria de la Cruz'), ['Maria', 'de la Cruz', 'doubtful']);
  });
});

describe('dates of a spreadsheet', () => {
  it('the import reads an ambiguous date by the chosen order of day and month', () => {
    for (const [text, dayFirst, monthFirst] of [
      ['12/03/1990', '1990-03-12', '1990-12-03'],
      ['31-12-1990', '1990-12-31', undefined],
      ['12/31/1990 12:00:00 AM', undefined, '1990-12-31'],
      ['29/02/2023', undefined, undefined],
    ] as const) {
      const read = (order: 'day-first' | 'month-first' | undefined) => readDate(text, { order, serials: false });
      assert.deepEqual(
        [read('day-first'), read('month-first'), read(undefined)],
        [dayFirst, monthFirst, undefined],
        text,
      );
    }
  });

  it('the import reads a date with a month name or with the year first without a chosen order', () => {
    for (const [text, date] of [
      ['1990-12-31', '1990-12-31'],
      ['1990-12-31 00:00:00', '1990-12-31'],
      ['1990-12-31T00:00:00.000Z', '1990-12-31'],
      ['1990-12-31 08:30:00.0', '1990-12-31'],
      ['1990/3/1', '1990-03-01'],
      ['12-Mar-1990', '1990-03-12'],
      ['12. März 1990', '1990-03-12'],
      ['March 12, 1990', '1990-03-12'],
      ['5 Okt. 05', '2005-10-05'],
      ['05/05/1990', '1990-05-05'],
    ] as const) {
      assert.equal(readDate(text, AS_IS.dates), date, text);
    }
    for (const text of ['1990-12-31T18:30:00Z', '12-Foo-1990', '1990', '33238', 'x', '31/12', '1990-13-01']) {
      assert.equal(readDate(text, AS_IS.dates), undefined, text);
    }
  });

  it('the import reads a number as an Excel date only if that is chosen', () => {
    assert.equal(readDate('33238', { order: undefined, serials: true }), '1990-12-31');
    assert.equal(readDate('61', { order: undefined, serials: true }), '1900-03-01');
    assert.equal(readDate('60', { order: undefined, serials: true }), undefined);
  });

  it('the import reads a date with dots as day first, whatever the chosen order', () => {
    for (const order of ['day-first', 'month-first', undefined] as const) {
      assert.equal(readDate('3.12.90', { order, serials: false }), '1990-12-03');
    }
  });

  it('the import detects the order of dates if one date permits only one order and no date contradicts', () => {
    assert.equal(orderOf(['12/03/1990', '31.12.1985']), 'day-first');
    assert.equal(orderOf(['12/03/1990', '12/31/1985']), 'month-first');
    assert.equal(orderOf(['12/03/1990', '1990-12-31']), undefined);
    assert.equal(orderOf(['31/12/1990', '12/31/1990']), undefined);
  });
});

describe('amounts of a spreadsheet', () => {
  it('the import detects the decimal sign if one amount permits only one and no amount contradicts', () => {
    assert.equal(decimalOf(['₹25,000', '1,00,000', '50k']), '.');
    assert.equal(decimalOf(['25000.00', 'no']), '.');
    assert.equal(decimalOf(['1.234,50']), ',');
    assert.equal(decimalOf(['1.000.000', '1,5']), ',');
    assert.equal(decimalOf(['25,000', '25.000']), undefined);
    assert.equal(decimalOf(['1,50', '2.50']), undefined);
    assert.equal(decimalOf(['25,000', '60k', '']), undefined);
  });

  it('the import reads an amount by the decimal sign, and reports a fault if the sign is unknown', () => {
    const read = (text: string, decimal?: '.' | ',') => readValue('approvalLimit', text, { ...AS_IS, decimal });
    assert.equal(read('25,000', '.'), '25000');
    assert.equal(read('25.000', ','), '25000');
    assert.deepEqual(read('25.000', '.'), { fault: 'amount' });
    assert.deepEqual(read('25,000'), { fault: 'decimal' });
    assert.equal(read('60k'), '60000');
    assert.equal(read('Rs. 10,000/-', '.'), '10000');
    assert.deepEqual(read('-', '.'), { fault: 'amount' });
    assert.deepEqual(read('0,500', '.'), { fault: 'amount' });
  });
});

describe('words of a spreadsheet', () => {
  it('the import reads roles, states and client types in each language', () => {
    const read = (field: 'roles' | 'active' | 'clientType', text: string) => readValue(field, text, AS_IS);
    assert.equal(read('roles', 'Corporate Admin; Manager'), 'CORPORATE_ADMIN MANAGER');
    assert.equal(read('roles', 'Führungskraft, Mitarbeitende'), 'MANAGER EMPLOYEE');
    assert.equal(read('roles', 'Manager/Employee'), 'MANAGER EMPLOYEE');
    for (const catalogue of [{}, ...readCatalogues().values()] as Catalogue[]) {
      const name = (role: string) => catalogue[roleName(role)] ?? roleName(role);
      for (const role of COMPANY_ROLES)
        assert.equal(read('roles', `${name(role)}, ${name('MANAGER')}`), role === 'MANAGER' ? role : `${role} MANAGER`);
    }
    assert.equal(read('roles', 'MANAGER EMPLOYEE MANAGER'), 'MANAGER EMPLOYEE');
    assert.deepEqual(read('roles', 'Boss'), { fault: 'role' });
    assert.deepEqual(
      ['Active', 'aktiv', 'yes', 'Inaktiv', 'FALSE', ''].map((text) => read('active', text)),
      ['true', 'true', 'true', 'false', 'false', ''],
    );
    assert.deepEqual(read('active', 'maybe'), { fault: 'active' });
    assert.equal(read('clientType', 'Firma'), 'CORPORATE');
  });
});

describe('numbers of a workbook', () => {
  it('the workbook reader shows a number as a date if its format has days, months or years', () => {
    for (const [number, id, code, shown, from1904] of [
      ['33238', 14, '', '1990-12-31'],
      ['33238', 164, 'dd/mm/yyyy;@', '1990-12-31'],
      ['33238', 165, '[$-407]d. mmmm yyyy', '1990-12-31'],
      ['33238.5', 22, '', '1990-12-31 12:00:00'],
      ['33237.9999999', 14, '', '1990-12-31'],
      ['31776', 14, '', '1990-12-31', true],
      ['60', 14, '', '60'],
      ['33238', 0, '', '33238'],
      ['33238', 166, '#,##0.00 "days"', '33238'],
      ['33238', 167, '[Red]General', '33238'],
    ] as const)
      assert.equal(shownNumber(number, { id, code }, from1904 ?? false), shown, `${number} ${code}`);
  });

  it('the workbook reader shows a number with the zeros and signs of its format', () => {
    for (const [number, code, shown] of [
      ['120', '00000', '00120'],
      ['560001', '000" "000', '560 001'],
      ['981234', '00000\\-0000', '00098-1234'],
      ['9845012345', '(###) ###-####', '(984) 501-2345'],
      ['919845012345', '"+"00 00000 00000', '+91 98450 12345'],
      ['123456', '000', '123456'],
      ['25000.5', '0', '25000.5'],
      ['25000', '#,##0.00', '25000'],
      ['9845012345', '0.00E+00', '9845012345'],
      ['0.30000000000000004', '', '0.30000000000000004'],
      ['9.845012345E9', '', '9845012345'],
    ] as const)
      assert.equal(shownNumber(number, { id: 164, code }, false), shown, `${number} ${code}`);
  });
});
