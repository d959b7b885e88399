import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddresses } from '../../../web/src/parts/addresses.ts';

describe('addresses that are pasted', () => {
  const read = (text: string) => readAddresses(text) && [...(readAddresses(text) ?? [])];
  const both = [
    ['asha@acme.example', 'Rao, Asha'],
    ['ben@acme.example', 'Ben Roy'],
  ];

  it('are read with their names in the forms of mail programs', () => {
    for (const text of [
      '"Rao, Asha" <asha@acme.example>, Ben Roy <ben@acme.example>',
      'Rao, Asha <asha@acme.example>; Ben Roy <ben@acme.example>;',
      '\'Rao, Asha\' <mailto:asha@acme.example>\r\n"Ben Roy" < ben@acme.example >\n',
      'asha@acme.example <asha@acme.example> "Rao, Asha" <asha@acme.example> Ben Roy\t<ben@acme.example>',
    ])
      assert.deepEqual(read(text), both, text);
    assert.deepEqual(read('"Asha \\"A; B\\" Rao" <asha@acme.example>'), [['asha@acme.example', 'Asha "A; B" Rao']]);
  });

  it('are read bare, each once, next to others with names', () => {
    assert.deepEqual(read(' asha@acme.example, Ben Roy <ben@acme.example>\nasha@acme.example cy@acme.example'), [
      ['asha@acme.example', ''],
      ['ben@acme.example', 'Ben Roy'],
      ['cy@acme.example', ''],
    ]);
  });

  it('are none where the text has anything else', () => {
    for (const text of ['', ' ,;', 'Rao', 'E-mail\nasha@acme.example', 'asha@acme.example,Asha,Rao', 'Rao <asha>', '<'])
      assert.equal(readAddresses(text), undefined, text);
    assert.equal(readAddresses(`${'Rao, Asha '.repeat(100_000)}\n`), undefined);
  });
});
