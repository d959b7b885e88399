import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import { compareCodePoints, fold } from '../../src/lib/text-folding.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** Of ideographs, Hangul syllables and other letters that folding leaves alone, one in so many is compared. */
const SAMPLE = 16;
/** The blocks of the alphabets, of marks, signs, compatibility forms and full-width letters, each in full. */
const WHOLE_BLOCKS = [
  [0x0001, 0x33ff],
  [0xa000, 0xabff],
  [0xf900, 0xfdff],
  [0xfe00, 0xffff],
] as const;
/** What has been given a decomposition by Unicode 17; PostgreSQL 18 has the tables of Unicode 16. */
const NEWER_THAN_18 = /\ua7f1/u;
/** The same by Unicode 15 and 16; PostgreSQL 15 has Unicode 14. */
const NEWER_THAN_15 = new RegExp(
  '[\\u{105c9}\\u{105e4}\\u{11383}\\u{11385}\\u{1138e}\\u{11391}\\u{16d68}-\\u{16d6a}' +
    '\\u{1ccd6}-\\u{1ccf9}\\u{1e030}-\\u{1e06d}]',
  'u',
);

/** Letters of many kinds for texts at random: what folding changes, what it leaves, what it removes. */
const LETTERS = [
  ...' \t\n\u00a0\u3000\ufeff\u0085aAbzZ019-%_\\\'"’“éÉøØłŁđĐðÐıIİißẞæÆœŒþÞςσΣάΆйЙёԱաႠაⴀᲐאבשׁابٱकखड़ก\u0e33각ᄀ가ガｶﾞ',
  ...'ħĦəƏ‘ʻʼ`´\u1ffd′‐\u2011–—−\u00ad\u200b\u200d\u202e\u2066\u034f\ufe0f\u0e38\u0e3a\u093e\u0941\u0483',
  ...'\u0301\u0308\u0327\u0345\u05b0\u064b\u093c\u3099\u00b4\u00a8\u1fbf\ufb01\ufb49ﬀＡａ①㎏ǅǄǆﷺ中豈𝒜𐐀𐐨😀\u{1d165}\u{e0100}',
];

function codePoints(): string[] {
  const chosen: string[] = [];
  for (let point = 1; point <= 0x2ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    const wanted = WHOLE_BLOCKS.some(([first, last]) => point >= first && point <= last);
    if (wanted || point % SAMPLE === 0 || fold(letter) !== letter) chosen.push(letter);
  }
  return chosen;
}

/** Always the same texts: a linear congruential generator chooses. */
function textsAtRandom(count: number): string[] {
  let state = 20_260_101;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(9) }, () => LETTERS[next(LETTERS.length)]).join(''),
  );
}

describe('fold in the database', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
  });
  after(() => db[Symbol.asyncDispose]());

  /** What an expression over `value` gives for each text. */
  async function inDatabase(expression: Sql, texts: readonly string[]): Promise<string[]> {
    const rows = await db.query<{ result: string }>(
      sql`select ${expression} as result
          from json_array_elements_text(${JSON.stringify(texts)}::text::json) with ordinality as given (value, number)
          order by number`,
    );
    return rows.map(({ result }) => result);
  }

  async function assertTwins(texts: readonly string[]): Promise<void> {
    const results = await inDatabase(sql`fold(value)`, texts);
    assert.equal(results.length, texts.length);
    const different = texts.flatMap((text, index) =>
      results[index] === fold(text) ? [] : [[...text].map((letter) => letter.codePointAt(0)?.toString(16)).join(' ')],
    );
    assert.deepEqual(different.slice(0, 20), [], `${different.length} texts fold differently`);
  }

  it('the fold function of the database folds the examples of the documentation', async () => {
    const examples = {
      Bogotá: 'bogota',
      İstanbul: 'istanbul',
      ISTANBUL: 'istanbul',
      'São  Tomé': 'sao tome',
      Øresund: 'oresund',
      Łódź: 'lodz',
      Đà: 'da',
      Reyðar: 'reydar',
      ıssız: 'issiz',
      Straße: 'strasse',
      Ærø: 'aero',
      Œuvre: 'oeuvre',
      Þingvellir: 'thingvellir',
      'Xi’an “x”': 'xi\'an "x"',
      ΠΆΤΡΑΣ: 'πατρασ',
      Ħamrun: 'hamrun',
      Gəncə: 'gence',
      'O‘zbekiston': "o'zbekiston",
      'a–b': 'a-b',
      'mum\u200bbai': 'mumbai',
      कार: 'कार',
      '\u3000New \t\n York\u00a0': 'new york',
      '': '',
      ' ': '',
      'ＡＢ①': 'ab1',
      '100%_\\': '100%_\\',
    };
    assert.deepEqual(await inDatabase(sql`fold(value)`, Object.keys(examples)), Object.values(examples));
  });

  it('the fold function of the database returns null for null', async () => {
    assert.deepEqual([...(await db.query(sql`select fold(null) as folded`))], [{ folded: null }]);
  });

  it('fold returns the same in the database and in JavaScript for every code point that it may change', async () => {
    const [server] = await db.query<{ version: number }>(
      sql`select current_setting('server_version_num')::integer as version`,
    );
    const unknown = (server?.version ?? 0) < 180_000 ? [NEWER_THAN_15, NEWER_THAN_18] : [NEWER_THAN_18];
    const letters = codePoints().filter((letter) => !unknown.some((newer) => newer.test(letter)));
    assert.ok(letters.length > 30_000);
    await assertTwins(letters);
  });

  it('fold returns the same in the database and in JavaScript for texts of several letters', async () => {
    await assertTwins(textsAtRandom(4_000));
  });

  it('the fold function of the database leaves folded texts unchanged', async () => {
    const folded = textsAtRandom(2_000).map(fold);
    assert.deepEqual(await inDatabase(sql`fold(value)`, folded), folded);
  });

  it('the collation "C" sorts as compareCodePoints does', async () => {
    const texts = [
      ...new Set([...textsAtRandom(1_500), '\uffee', '\ufb01', '\u{10000}', '😀', '\ue000', '\ud7ff', '']),
    ];
    const rows = await db.query<{ index: number }>(
      sql`select number::integer - 1 as index
          from json_array_elements_text(${JSON.stringify(texts)}::text::json) with ordinality as given (value, number)
          order by value collate "C"`,
    );
    assert.deepEqual(
      rows.map(({ index }) => texts[index]),
      texts.toSorted(compareCodePoints),
    );
  });
});
