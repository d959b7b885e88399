import { readFileSync } from 'node:fs';

/** A city, and a name of it as somebody types it. */
export interface TypedName {
  countryCode: string;
  /** As the geography has it. */
  name: string;
  typed: string;
}

/** Cities by country and name, each with what people type who mean it: in their languages and scripts, former names, codes, short names. */
const TABLE = readFileSync(new URL('typed-names.txt', import.meta.url), 'utf8');

export const TYPED_NAMES: readonly TypedName[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [, countryCode = '', name = '', typed = ''] = /^(..) (.*?): (.*)$/.exec(line) ?? [];
    return typed.split(' | ').map((one) => ({ countryCode, name, typed: one }));
  });
