import { describe, it } from 'node:test';
import * as kinds from '../../../src/entities/values.ts';
import { accepts, refuses } from '../../support/value-kinds.ts';

describe('values that are e-mail addresses', () => {
  it('an e-mail address is accepted in any script and kept as written, and a malformed one is refused', () => {
    for (const address of [
      "o'neill+x@Example.com",
      'ada.lovelace@mail.example.co.uk',
      'a@x.example',
      '1@2.3',
      'A-B_c=d/e@x-y.example',
      "!#$%&'*+/=?^_`{|}~-@x.example",
      'josé@bücher.example',
      'नमस्ते@उदाहरण.भारत',
      '用户@例子.广告',
      'иван@пример.рф',
      'jose\u0301@x.example',
      'a@xn--bcher-kva.example',
      'a@x--y.example',
      `${'x'.repeat(244)}@x.example`,
      `${'𝒳'.repeat(244)}@x.example`,
    ]) {
      accepts(kinds.email, address);
    }
    accepts(kinds.email, ' Asha@Acme.example\u00a0', 'Asha@Acme.example');
    const others = ['', 'a', '@b.example', 'a@', 'a@b@c.example', 'a b@c.example', 'a\u00a0b@c.example'];
    const unseen = [
      'a\u200bb@c.example',
      'a\u3164@c.example',
      'a@c\u00ad.example',
      '\u202ea@c.example',
      'a\ud800@c.example',
    ];
    const copied = [
      '<a@x.example>',
      'mailto:a@x.example',
      'a@x.example;',
      'a@x.example,',
      "'a@x.example",
      'Ann <a@x.example>',
    ];
    const quoted = [
      '“a@x.example”',
      '"a"@x.example',
      'a(b)@x.example',
      'a\\@x.example',
      '[a]@x.example',
      'a@[1.2.3.4]',
    ];
    const dots = ['a@x.example.', 'a@x..example', '.a@x.example', 'a.@x.example', 'a..b@x.example', 'a@.x.example'];
    const labels = [
      'a@x',
      'n/a@n/a',
      'a@-x.example',
      'a@x-.example',
      'a@x_y.example',
      'a@x.exa mple',
      'a@ÿ\u0300',
      'a＠x.example',
    ];
    refuses(kinds.email, [...others, ...unseen, ...copied, ...quoted, ...dots, ...labels], 'INVALID_FORMAT');
    refuses(
      kinds.email,
      [`${'x'.repeat(245)}@x.example`, `${'a-'.repeat(50_000)}@${'b-'.repeat(50_000)}`],
      'INVALID_FORMAT',
    );
  });
});
