import { inOneCase } from './uuid.ts';
import { type Reading, text, type ValueKind } from './values.ts';

const anyText = text(100);

/** An id from another system: any text. One in UUID form is stored in lower case, as PostgreSQL writes UUIDs. */
export const anyId: ValueKind<string> = {
  ...anyText,
  check: (value) => lowered(anyText.check(value)),
  parse: (given) => lowered(anyText.parse(given)),
};

function lowered(checked: Reading<string>): Reading<string> {
  return 'value' in checked ? { value: inOneCase(checked.value) } : checked;
}
