/** Typed values by field name. */
export type Typed = Readonly<Record<string, string>>;

/**
 * Merges unsaved values with those that somebody else has saved since.
 *
 * @param begun the saved values when typing began
 * @param now the saved values now
 * @returns the values with untouched fields updated, and the saved values of touched fields that changed
 */
export function mergeTyped(typed: Typed, begun: Typed, now: Typed): { typed: Typed; elsewhere: Typed } {
  const names = [...new Set([...Object.keys(begun), ...Object.keys(now)])];
  const changed = names.filter((name) => (begun[name] ?? '') !== (now[name] ?? ''));
  const isTouched = (name: string) =>
    (typed[name] ?? '') !== (begun[name] ?? '') && (typed[name] ?? '') !== (now[name] ?? '');
  const values = (wanted: readonly string[]) => Object.fromEntries(wanted.map((name) => [name, now[name] ?? '']));
  return {
    typed: { ...typed, ...values(changed.filter((name) => !isTouched(name))) },
    elsewhere: values(changed.filter(isTouched)),
  };
}
