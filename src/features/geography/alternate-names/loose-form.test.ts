import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from '../../../lib/text-folding.ts';
import { looseForm } from './loose-form.ts';

const formOf = (text: string) => looseForm(fold(text));

describe('the loose form', () => {
  for (const [form, ...texts] of [
    ['st louis', 'St. Louis', 'St Louis', 'St.Louis', 'St-Louis', ' ST.  LOUIS '],
    ['aix en provence', 'Aix-en-Provence', 'Aix en Provence', 'Aix‑en–Provence'],
    ['xian', "Xi'an", 'Xi’an', 'Xi`an', 'Xiʼan', 'Xian'],
    ['laquila', "L'Aquila", 'LʼAquila'],
    ['washington dc', 'Washington D.C.', 'Washington, D.C.', 'Washington DC', 'Washington D.C'],
    ['alicante alacant', 'Alicante/Alacant', 'Alicante / Alacant', 'Alicante (Alacant)'],
    ['jammu and kashmir', 'Jammu & Kashmir', 'Jammu and Kashmir', 'Jammu&Kashmir'],
    ['ニューヨーク', 'ニュー・ヨーク', 'ニューヨーク'],
    ['', '', '-', "'", '. . .', '・'],
  ] as const) {
    it(`the loose form of ${texts.join(', ')} is ${form || 'empty'}`, () => {
      for (const text of texts) assert.equal(formOf(text), fold(form), text);
    });
  }

  it('the loose form of a loose form is the same form', () => {
    for (const text of ['St. Louis', "Xi'an & Co.", 'a.b.c', 'D.C.', 'ab.cd', 'Alicante/Alacant']) {
      assert.equal(looseForm(formOf(text)), formOf(text), text);
    }
  });
});
