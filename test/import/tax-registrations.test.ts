import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { openTestDatabase } from '../support/test-database.ts';
import { type CsvRow, company, type Files, id, importFiles, problemLines } from './folders.ts';

const PUNE = '27AAPFU0939F1ZV';
const BENGALURU = '29AAPFU0939F1ZR';
const OF_OTHERS = '27AAACR5055K1Z7';

/** Two companies with a further legal entity (41, 42), the first of which has a GSTIN. */
const stored: Files = {
  'companies.csv': [company(1), company(2)],
  'legal-entities.csv': [entity(41, 1), entity(42, 2)],
  'tax-registrations.csv': [registration(51, 41, { default: 'true' })],
};

function entity(number: number, companyNumber: number, change: CsvRow = {}): CsvRow {
  const names = { name: `Entity ${number}`, registeredName: `Entity ${number} Ltd`, countryCode: 'IN' };
  return { id: id(number), companyId: id(companyNumber), ...names, active: 'true', ...change };
}

function registration(number: number, entityNumber: number, change: CsvRow = {}): CsvRow {
  const content = { type: 'GSTIN', number: PUNE, countryCode: 'IN', stateId: '', validFrom: '', validUntil: '' };
  return { id: id(number), legalEntityId: id(entityNumber), ...content, default: 'false', ...change };
}

/** Why rows are refused, without the file. */
const faults = async (...rows: CsvRow[]) =>
  (await problemLines({ 'tax-registrations.csv': rows }, stored)).map((line) =>
    line.replace('tax-registrations.csv:', ''),
  );

describe('import: tax registrations', () => {
  it('an import of registrations writes VAT numbers with the letters of their country, and the state of each GSTIN', async () => {
    await using db = await openTestDatabase();
    const files = {
      ...stored,
      'tax-registrations.csv': [
        registration(51, 41, { default: 'true' }),
        registration(52, 41, { number: BENGALURU }),
        registration(53, 42, { type: 'VAT', number: '136695976', countryCode: 'DE' }),
        registration(54, 42, { type: 'VAT', number: 'gr094259216', countryCode: 'GR' }),
      ],
    };
    await importFiles(db, files);
    const rows = await db.query<{ number: string; state: number | null }>(sql`
      select number, state_id as state from tax_registrations where id::text >= ${id(51)}::text and id::text <= ${id(54)}::text order by id`);
    assert.deepEqual(
      rows.map(({ number, state }) => [number, state]),
      [
        [PUNE, 4008],
        [BENGALURU, 4026],
        ['DE136695976', null],
        ['EL094259216', null],
      ],
    );
    assert.deepEqual((await importFiles(db, files))['tax-registrations.csv'], [0, 0, 4], 'again');
  });

  it('an import refuses numbers with line and column by type, country and state', async () => {
    assert.deepEqual(
      await faults(
        registration(52, 42, { type: 'VAT', number: 'DE136695977', countryCode: 'DE' }),
        registration(53, 42, { number: OF_OTHERS, countryCode: 'DE' }),
        registration(54, 42, { type: 'EIN', number: '123', countryCode: 'US' }),
        registration(55, 42, { number: 'U123' }),
        registration(56, 41, { number: BENGALURU, stateId: '4008' }),
        registration(57, 41, { type: 'OTHER', number: 'X-1', validFrom: '2026-02-01', validUntil: '2026-01-01' }),
      ),
      [
        '2: number: "DE136695977" must be a VAT number of DE, with its check digits',
        '3: countryCode: "DE" must be IN for a GSTIN',
        '4: number: "123" must be an EIN of the US such as 12-3456789',
        '5: number: "U123" must be a GSTIN such as 27AAPFU0939F1ZV',
        '6: stateId: "4008" must be 4026, the state of the code 29',
        '7: validUntil: must not be before the first day, 2026-02-01',
      ],
    );
  });

  it('an import refuses another PAN and a second default beside the stored registration', async () => {
    assert.deepEqual(await faults(registration(52, 41, { number: OF_OTHERS, default: 'true' })), [
      '2: number: "27AAACR5055K1Z7" must have the PAN of the others, AAPFU0939F',
      '2: default: "true" must be true for one registration alone',
    ]);
    const other = (number: number) => registration(number, 42, { type: 'OTHER', number: `X-${number}` });
    assert.deepEqual(await faults(...Array.from({ length: 51 }, (_, at) => other(100 + at))), [
      '52: number: "X-150" is one too many: a legal entity has at most 50',
    ]);
  });

  it('an import refuses a number that an active legal entity has at the same time, and takes that of an inactive one', async () => {
    const other = { type: 'OTHER', number: 'X-1' };
    assert.deepEqual(
      await faults(
        registration(52, 42),
        registration(53, 42, { ...other, validUntil: '2026-03-31' }),
        registration(54, 41, { ...other, number: 'x-1', validFrom: '2026-03-01' }),
        registration(55, 41, { ...other, validFrom: '2027-04-01' }),
      ),
      [
        `2: number: "${PUNE}" is in use: another registration of the database has the number at the same time`,
        '4: number: "x-1" is in use: line 3 has the number at the same time',
        '5: number: "X-1" is in use: line 4 has the number at the same time',
      ],
    );
    await using db = await openTestDatabase();
    await importFiles(db, stored);
    const moved = {
      'legal-entities.csv': [entity(41, 1, { active: 'false' })],
      'tax-registrations.csv': [registration(52, 42)],
    };
    assert.deepEqual((await importFiles(db, moved))['tax-registrations.csv'], [1, 0, 0]);
  });

  it('an import refuses the number of a registration as the GSTIN of a new or another company, with its line', async () => {
    const lines = (...rows: CsvRow[]) => problemLines({ 'companies.csv': rows }, stored);
    assert.deepEqual(await lines(company(2, { gstin: PUNE.toLowerCase() }), company(3, { gstin: PUNE })), [
      `companies.csv:2: gstin: "${PUNE.toLowerCase()}" is in use: another registration of the database has the number at the same time`,
      `companies.csv:3: gstin: "${PUNE}" stands on line 2 already: correct or remove one of the two`,
      `companies.csv:3: gstin: "${PUNE}" is in use: another registration of the database has the number at the same time`,
    ]);
    const files = {
      'companies.csv': [company(2, { gstin: BENGALURU })],
      'tax-registrations.csv': [registration(52, 41, { number: BENGALURU })],
    };
    assert.deepEqual(await problemLines(files, stored), [
      `companies.csv:2: gstin: "${BENGALURU}" is in use: line 2 of tax-registrations.csv has the number at the same time`,
    ]);
    await using db = await openTestDatabase();
    await importFiles(db, { ...stored, 'legal-entities.csv': [entity(41, 1, { active: 'false' }), entity(42, 2)] });
    const freed = { 'companies.csv': [company(2, { gstin: PUNE })] };
    assert.deepEqual(await importFiles(db, freed), { 'companies.csv': [0, 1, 0] });
  });

  it('an import refuses to make a legal entity active again whose number another one has by now, with its line', async () => {
    const files = {
      ...stored,
      'legal-entities.csv': [entity(41, 1, { active: 'false' }), entity(42, 2)],
      'tax-registrations.csv': [registration(51, 41, { default: 'true' }), registration(52, 42)],
    };
    assert.deepEqual(await problemLines({ 'legal-entities.csv': [entity(41, 1)] }, files), [
      `legal-entities.csv:2: active: "${PUNE}" is in use: another registration of the database has the number at the same time`,
    ]);
    await using db = await openTestDatabase();
    await importFiles(db, files);
    const exchanged = { 'legal-entities.csv': [entity(41, 1), entity(42, 2, { active: 'false' })] };
    assert.deepEqual(await importFiles(db, exchanged), { 'legal-entities.csv': [0, 2, 0] });
  });

  it('an import of a folder in which companies exchange their numbers gives them to their registrations', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, stored);
    await importFiles(db, {
      'companies.csv': [company(1, { gstin: 'GST-2' }), company(2, { gstin: 'GST-1' })],
      'tax-registrations.csv': [
        registration(1, 1, { type: 'OTHER', number: 'GST-2', countryCode: 'ZZ', default: 'true' }),
      ],
    });
    const rows = await db.query(sql`select gstin from companies order by id`);
    assert.deepEqual(rows, [{ gstin: 'GST-2' }, { gstin: 'GST-1' }]);
  });
});
