/** Values by field name. */
export type Typed = Readonly<Record<string, string>>;
/** Unsaved values by field name, each with the saved value when typing began. */
export type Draft = Readonly<Record<string, { typed: string; from: string }>>;

export const NO_DRAFT: Draft = {};

/** Returns the draft after typing: a value typed back to the saved one is no longer part of it. */
export function withTyped(draft: Draft, saved: Typed, name: string, typed: string): Draft {
  const { [name]: before, ...others } = draft;
  const present = saved[name] ?? '';
  return typed === present ? others : { ...others, [name]: { typed, from: before?.from ?? present } };
}

/** Returns what was typed since a draft was saved. */
export function typedSince(sent: Draft, now: Draft, saved: Typed): Draft {
  const left = Object.entries(now).filter(([name, { typed }]) => typed !== sent[name]?.typed);
  return Object.fromEntries(
    left.map(([name, field]) => [name, name in sent ? { typed: field.typed, from: saved[name] ?? '' } : field]),
  );
}

/** Returns the values of a form: the saved ones, and over them those of the draft. */
export function valuesOf(draft: Draft, saved: Typed): Typed {
  return { ...saved, ...Object.fromEntries(Object.entries(draft).map(([name, { typed }]) => [name, typed])) };
}

/** Returns the value that somebody else has saved in a field since its typing began; undefined if nobody has. */
export function savedElsewhere(draft: Draft, saved: Typed, name: string): string | undefined {
  const [field, present] = [draft[name], saved[name] ?? ''];
  return field === undefined || field.from === present || field.typed === present ? undefined : present;
}
