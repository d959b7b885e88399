import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareCodePoints, fold } from './text-folding.ts';

function foldsTo(expected: string, ...texts: string[]): void {
  for (const text of texts) assert.equal(fold(text), expected, JSON.stringify(text));
}

describe('folding', () => {
  it('folding removes case and accents', () => {
    foldsTo('bogota', 'Bogotá', 'BOGOTA', 'bogotá', 'Bogota\u0301');
    foldsTo('istanbul', 'İstanbul', 'ISTANBUL', 'istanbul', 'ıstanbul', 'i\u0307stanbul');
    foldsTo('sao paulo', 'São Paulo', 'SÃO PAULO');
    foldsTo('thanh pho ho chi minh', 'Thành phố Hồ Chí Minh');
    foldsTo('αθηνα', 'Αθήνα', 'ΑΘΗΝΑ');
    foldsTo('москва', 'Москва', 'МОСКВА');
    foldsTo('иошкар-ола', 'Йошкар-Ола');
  });

  it('folding spells letters without a decomposition with basic letters, in both cases', () => {
    foldsTo('o', 'ø', 'Ø', 'ǿ', 'Ǿ');
    foldsTo('l', 'ł', 'Ł');
    foldsTo('d', 'đ', 'Đ', 'ð', 'Ð');
    foldsTo('i', 'ı', 'I', 'İ', 'i');
    foldsTo('ss', 'ß', 'ẞ', 'ss');
    foldsTo('ae', 'æ', 'Æ', 'ǽ', 'Ǽ');
    foldsTo('oe', 'œ', 'Œ');
    foldsTo('th', 'þ', 'Þ');
    foldsTo('h', 'ħ', 'Ħ');
    foldsTo('e', 'ə', 'Ə');
    foldsTo('mellieha', 'Mellieħa', 'MELLIEĦA');
    foldsTo('sirvan', 'Şirvan', 'ŞİRVAN');
    foldsTo('lodz', 'Łódź');
    foldsTo('strasse', 'Straße', 'STRASSE', 'STRAẞE');
  });

  it('folding treats the two small sigmas as one letter, anywhere in a word', () => {
    foldsTo('πατρασ πατρασ', 'Πάτρας Πάτρας', 'ΠΑΤΡΑΣ ΠΑΤΡΑΣ', 'πατρασ πατρασ');
  });

  it('folding replaces any apostrophe, quotation mark and hyphen by the one of the keyboard', () => {
    for (const apostrophe of "'‘’‚‛ʻʼ`´\u1ffd′\uff07\uff40") foldsTo("xi'an", `Xi${apostrophe}an`, `XI${apostrophe}AN`);
    foldsTo('"a"', '“A”', '„a‟');
    for (const hyphen of '-‐\u2011‒–—−\ufe58\ufe63\uff0d') foldsTo('a-b', `A${hyphen}B`);
    foldsTo("'", '`', '´', ' ´ ');
  });

  it('folding removes invisible characters', () => {
    const points = [0xad, 0xfeff];
    for (const [first, last] of [
      [0x200b, 0x200f],
      [0x202a, 0x202e],
      [0x2060, 0x2069],
    ] as const) {
      for (let point = first; point <= last; point++) points.push(point);
    }
    for (const point of points) {
      const unseen = String.fromCodePoint(point);
      foldsTo('mumbai', `Mumbai${unseen}`, `${unseen}mum${unseen}bai`);
      foldsTo('new york', `new${unseen} ${unseen}york`);
      foldsTo('', unseen);
    }
  });

  it('folding keeps the marks that spell a script and removes accents from scripts that have accents', () => {
    const spelled = { कार: 'कर', कीर: 'कर', मुंबई: 'मबई', ปู: 'ป', ปี: 'ป', バス: 'ハス', ぱ: 'は', 한국: '하구' };
    for (const [text, bare] of Object.entries(spelled)) assert.notEqual(fold(text), fold(bare), text);
    foldsTo(fold('ガ'), 'ｶﾞ', 'カ\u3099');
    foldsTo(fold('क़'), 'क\u093c');
    foldsTo('ירושלים', 'יְרוּשָׁלַיִם');
    foldsTo('مكة المكرمة', 'مَكَّة المُكَرَّمَة');
    foldsTo('киів', 'Київ', 'КИЇВ');
    foldsTo('❤', '❤\ufe0f');
  });

  it('folding orders two marks the same way, whatever character it removes in between', () => {
    for (const between of ['\u034f', '\u200b', '\ufe0f'])
      foldsTo(fold('ก\u0e38\u0e3a'), `ก\u0e38${between}\u0e3a`, `ก\u0e3a${between}\u0e38`);
  });

  it('folding decomposes compatibility forms', () => {
    foldsTo('abc 12', 'ＡＢＣ　１２', 'ⓐⓑⓒ 12', 'abc ¹²');
    foldsTo('fi', 'ﬁ', 'FI');
    foldsTo('km2', '㎢');
  });

  it('folding reduces white space to one space, and removes it at both ends', () => {
    foldsTo('new york', '  New   York ', 'new\tyork\n', '\u00a0New\u3000York\u2003', 'New \r\n York', 'new\u0085york');
    foldsTo('', '', ' ', '\t\n', '\u3000', '\u0301');
  });

  it('folding finds white space that only appears when a letter is decomposed', () => {
    foldsTo('a', 'a\u00a8', '\u00b8a');
    foldsTo('a b', 'a\u00a8b');
  });

  it('folding keeps characters with a meaning in a search pattern', () => {
    foldsTo('100%_\\', '100%_\\');
  });

  it('folding a folded text returns the same text', () => {
    for (let point = 0; point <= 0x2ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const folded = fold(String.fromCodePoint(0x61, point, 0x62));
      if (fold(folded) !== folded) assert.fail(`U+${point.toString(16)} folds to ${JSON.stringify(folded)} first`);
    }
  });
});

describe('order by code point', () => {
  it('compareCodePoints orders characters of the basic plane before all others of Unicode', () => {
    const sorted = ['', 'A', 'a', 'aa', 'é', '\ud7ff', '\ue000', '\ufb01', '\uffff', '\u{10000}', '😀', '😀a', '😁'];
    for (const [left, a] of sorted.entries()) {
      for (const [right, b] of sorted.entries()) {
        assert.equal(Math.sign(compareCodePoints(a, b)), Math.sign(left - right), `${a} and ${b}`);
      }
    }
  });

  it('compareCodePoints gives the order of the UTF-8 bytes', () => {
    const points = [0x20, 0x41, 0x7a, 0xe9, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xff21, 0xffff, 0x10000, 0x1f600, 0x10ffff];
    const texts = points.flatMap((a) => points.map((b) => String.fromCodePoint(0x61, a, b)));
    const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(texts.toSorted(compareCodePoints), byBytes);
  });
});
