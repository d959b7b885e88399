import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from '@messageformat/parser';
import { chooseLanguage, localeOf, speak, t, translator } from '../../../web/src/translate.ts';
import { namesOf, problemsOf, readCatalogues, readMessages } from '../../../web/texts.ts';

const COUNTED = '{count, plural, one {# city} other {# cities}} with “{text}” in the name';

/** A number before a noun in the plural: a value that is no name, before a word that ends in s; “of 20 words” is never of one. */
const COUNT =
  /(?<! of )\{(?!name|policy|domain|who|company|group|line|label|subject|software)\w+\} (?!of |after |has |times)(\p{Ll}+ )?(people|\p{Ll}{2,}s)\b/u;

/** Returns a text without what `plural` and `select` choose. */
function fixedPart(text: string): string {
  return parse(text)
    .map((token) => (token.type === 'content' ? token.value : token.type === 'argument' ? `{${token.arg}}` : '…'))
    .join('');
}

describe('the texts of the console', () => {
  it('each catalogue of the console translates exactly the texts of the console', () => {
    const messages = readMessages();
    assert.ok(messages.size > 900);
    for (const [language, catalogue] of readCatalogues())
      assert.deepEqual(problemsOf(catalogue, messages), [], language);
  });

  it('each number before a noun is chosen by the plural rules of the language, so that nobody reads “1 people”', () => {
    const chosen = (text: string) => [...text.matchAll(/\{(\w+), plural,/g)].map(([, name]) => `{${name}} `);
    assert.match(fixedPart('{count} changed lines, {all, plural, one {# person} other {# people}}'), COUNT);
    const keys = [...readMessages().keys()];
    assert.deepEqual(
      keys.filter((key) => COUNT.test(fixedPart(key))),
      [],
    );
    for (const catalogue of readCatalogues().values())
      assert.deepEqual(
        Object.entries(catalogue).filter(([key, text]) => chosen(key).some((name) => fixedPart(text).includes(name))),
        [],
      );
  });

  it('the German and the French console have one word for one thing', () => {
    const words = {
      de: /Unternehmen|Richtlinie|Super Admin\b|Benutzer-ID|Ebene|Position/,
      fr: /bande|politique|palier/,
    };
    for (const [language, wrong] of Object.entries(words)) {
      const catalogue = Object.entries(readCatalogues().get(language) ?? {});
      assert.deepEqual(
        catalogue.filter(([, text]) => wrong.test(text)),
        [],
        language,
      );
      const terms = [
        { key: /\bbands?\b/i, de: /karriere/i, fr: /niveau/i },
        { key: /(?<!\{)\bpolic(y|ies)\b/i, de: /regel/i, fr: /règle/i },
      ].map(({ key, ...of }) => ({ key, term: { de: of.de, fr: of.fr }[language] ?? /./ }));
      const others = ([key, text]: [string, string]) =>
        !key.includes('/api/') && terms.some((one) => one.key.test(key) && !one.term.test(text));
      assert.deepEqual(catalogue.filter(others), [], language);
    }
  });

  it('the catalogue check reports a missing text, an unknown text and an unknown value', () => {
    const messages = new Map([
      ['Save', []],
      ['{count} lines', ['count']],
    ]);
    assert.deepEqual(problemsOf({ Gone: 'Weg', '{count} lines': '{number} Zeilen' }, messages), [
      'has no translation of: Save',
      'translates what the console does not say: Gone',
      'uses {number}, which has no value, in: {number} Zeilen',
    ]);
    for (const broken of ['{count, plural, one {eine}}', '{count'])
      assert.throws(() => problemsOf({ Save: 'Sichern', '{count} lines': broken }, messages));
  });

  it('a new catalogue alone translates the console into another language, with all its plural forms', () => {
    const pseudo = Object.fromEntries(
      [...readMessages().keys()].map((key) => [
        key,
        `⟦${key.split(' | ')[0]?.replace(/one \{([^{}]*)\}/g, '$& few {~$1}')}⟧`,
      ]),
    );
    const say = translator('pl', pseudo);
    for (const [key, names] of readMessages()) {
      const [message = '', context] = key.split(' | ');
      const values = Object.fromEntries([...names, ...namesOf(message)].map((name) => [name, 3]));
      assert.match(say(message, context === undefined ? values : { ...values, context }), /^⟦.*⟧$/s, key);
    }
    assert.deepEqual(
      [1, 3, 5].map((count) => say(COUNTED, { count, text: 'ü' })),
      ['⟦1 city with “ü” in the name⟧', '⟦~3 city with “ü” in the name⟧', '⟦5 cities with “ü” in the name⟧'],
    );
    speak('pl', pseudo);
    assert.equal(t('Save'), '⟦Save⟧');
    speak('en', {});
    assert.equal(t('Save'), 'Save');
  });

  it('digits and dates are of the language that is spoken, in the region of the reader', () => {
    assert.equal(localeOf('de', ['mr-IN', 'de-AT', 'en']), 'de-AT');
    assert.equal(localeOf('en', ['mr-IN', 'hi']), 'en-IN');
    assert.equal(localeOf('en', ['ar']), 'en-EG');
    assert.equal(localeOf('en', []), 'en');
    const amount = new Intl.NumberFormat(localeOf('en', ['mr-IN-u-nu-deva'])).format(75_000.5);
    assert.equal(amount, '75,000.5');
  });

  it('a text that the catalogue lacks is shown in English with English plurals', () => {
    const say = translator('ja', { Save: '保存' });
    assert.deepEqual([say('Save'), say(COUNTED, { count: 1, text: 'x' })], ['保存', '1 city with “x” in the name']);
  });

  it('a translation is chosen by context if two messages are equal', () => {
    const say = translator('de', { On: 'An', 'On | connection': 'Ein' });
    assert.deepEqual([say('On'), say('On', { context: 'connection' })], ['An', 'Ein']);
  });

  it('the console uses the first language of the user that is English or has a catalogue', () => {
    const choose = (...tags: string[]) => chooseLanguage(tags, ['de', 'fr']);
    assert.equal(choose('pt-BR', 'de-AT', 'en'), 'de');
    assert.equal(choose('en-IN', 'de'), 'en');
    assert.equal(choose('FR-ca'), 'fr');
    assert.equal(choose('pt'), 'en');
    assert.equal(choose(), 'en');
  });
});
