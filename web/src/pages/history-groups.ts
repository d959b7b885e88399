import type { NamedChange } from '../api/types.ts';
import { actorText, type HistoryLocale, sentenceOf, subjectName } from './history-sentences.ts';

/** Consecutive changes of one request or one import: an entry of the history. */
export interface HistoryEntry {
  /** Newest first. */
  changes: readonly [NamedChange, ...NamedChange[]];
}

/** Maximum changes of one person or object that the sentence of the main one stands for. */
const MAX_TOLD_BY_ONE = 8;
/** The order in which the main change of a request is chosen. */
const MAIN_FIRST: readonly NamedChange['entity'][] = ['company', 'user', 'approvalPolicy', 'webhook', 'apiKey'];

/** Groups consecutive changes of one request or import. */
export function entriesOf(changes: readonly NamedChange[]): HistoryEntry[] {
  const entries: { key: string; changes: [NamedChange, ...NamedChange[]] }[] = [];
  for (const change of changes) {
    const key = change.actor.runId ?? change.requestId ?? change.id;
    const last = entries.at(-1);
    if (last?.key === key) last.changes.push(change);
    else entries.push({ key, changes: [change] });
  }
  return entries;
}

/** Returns an entry as one sentence: that of its only or main change, otherwise the counts of objects added, changed and removed. */
export function entryText({ changes }: HistoryEntry, locale: HistoryLocale, format: (count: number) => string): string {
  const [first, ...others] = changes;
  if (others.length === 0) return sentenceOf(first, locale);
  const main = mainOf(changes);
  if (main !== undefined) return sentenceOf(main, locale);
  const { words } = locale;
  const counts = new Map<string, { change: NamedChange; count: number }>();
  for (const change of changes) {
    const key = `${change.entity} ${change.action}`;
    counts.set(key, { change, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const counted = [...counts.values()].map(({ change: { entity, action }, count }) =>
    words.counted(format(count), entity, words.actions[action]),
  );
  return words.summary(actorText(first, locale), counted);
}

/** Returns the main change, which explains the others; undefined if they are about several people or objects. */
export function mainOf(changes: readonly NamedChange[]): NamedChange | undefined {
  if (changes.length > MAX_TOLD_BY_ONE) return undefined;
  const subjects = new Set(changes.map((change) => subjectOf(change)));
  if (subjects.size > 1) return undefined;
  const ranked = MAIN_FIRST.flatMap((entity) => changes.filter((change) => change.entity === entity));
  return ranked[0] ?? changes[0];
}

/** Returns the subject of a change: of a role its person, of a level its policy. */
function subjectOf(change: NamedChange): string {
  const { entity, entityId, userId } = change;
  if (userId !== null) return userId;
  return entity === 'approvalPolicy' || entity === 'approvalPolicyLevel' ? `policy ${subjectName(change)}` : entityId;
}

/** Returns the next day, in the form `2026-01-31`. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
