import { email } from '../../../src/entities/values.ts';

/** An address, bare or behind a name, which may be quoted: `"Rao, Asha" <asha@acme.example>`. */
const ENTRY =
  /[\s,;]*(?:([^\s<>,;"@]+@[^\s<>,;"@]+)(?=[\s,;]|$)|((?:"(?:[^"\\]|\\.)*"|[^<>;"\n])*)<(?:mailto:)?\s*([^\s<>]+)\s*>)/y;

/**
 * Reads a text that has nothing but e-mail addresses, as mail programs copy them: separated by commas, semicolons, spaces or lines.
 *
 * @returns the name of each address, empty for a bare one; undefined for another text
 */
export function readAddresses(text: string): ReadonlyMap<string, string> | undefined {
  const names = new Map<string, string>();
  const end = text.replace(/[\s,;]+$/, '').length;
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < end) {
    const [, bare, name = '', address = bare ?? ''] = ENTRY.exec(text) ?? [];
    if (!('value' in email.parse(address))) return undefined;
    names.set(address, plainName(name) || (names.get(address) ?? ''));
  }
  return names.size === 0 ? undefined : names;
}

/** Returns a name without the quotes around it. */
function plainName(name: string): string {
  const text = name.trim().replace(/^"(.*)"$/s, (_, quoted: string) => quoted.replace(/\\(.)/g, '$1'));
  return text.replace(/^'(.*)'$/, '$1').trim();
}
