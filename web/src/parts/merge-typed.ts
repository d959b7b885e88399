/** What is typed, by the names of the fields. */
export type Typed = Readonly<Record<string, string>>;

/**
 * Brings what is typed together with what somebody else has saved since.
 *
 * @param begun what the fields held when it was typed
 * @param now what they hold by now
 * @returns untouched fields as they are now, and what stands elsewhere in the others that changed
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
