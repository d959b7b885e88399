/** A value that can be chosen, and how it is shown. */
export interface Choice {
  value: string;
  label: string;
}

type Named = { id: string; name: string };

/** Returns texts, objects, or values by their names as choices. @param none the first choice, which is none of them */
export function choicesOf(
  of: readonly (string | Named)[] | Readonly<Record<string, string>> = [],
  none?: string,
): Choice[] {
  const pairs = Array.isArray(of)
    ? (of as (string | Named)[]).map(pairOf)
    : Object.entries(of as Record<string, string>);
  const choices = pairs.map(([value, label]) => ({ value, label }));
  return none === undefined ? choices : [{ value: '', label: none }, ...choices];
}

function pairOf(of: string | Named): readonly [string, string] {
  return typeof of === 'string' ? [of, of] : [of.id, of.name];
}
