import type { NamedChange } from '../api/types.ts';
import { actorText, sentenceOf, subjectName, type Telling } from './history-sentences.ts';

/** Changes of one request or one import that stand together: one entry of the history. */
export interface HistoryEntry {
  /** Newest first. */
  changes: readonly [NamedChange, ...NamedChange[]];
}

/** Changes up to which those of one person or thing are told by the sentence of the main one. */
const MAX_TOLD_BY_ONE = 8;
/** What a request that changes several things is mainly about: the first of these. */
const MAIN_FIRST: readonly NamedChange['entity'][] = ['company', 'user', 'approvalPolicy', 'webhook', 'apiKey'];

/** Puts the changes of one request or import together. */
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

/** An entry as one sentence: that of its only or main change, else how many things were added, changed and removed. */
export function entryText({ changes }: HistoryEntry, telling: Telling, format: (count: number) => string): string {
  const [first, ...others] = changes;
  if (others.length === 0) return sentenceOf(first, telling);
  const main = mainOf(changes);
  if (main !== undefined) return sentenceOf(main, telling);
  const { words } = telling;
  const counts = new Map<string, { change: NamedChange; count: number }>();
  for (const change of changes) {
    const key = `${change.entity} ${change.action}`;
    counts.set(key, { change, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const counted = [...counts.values()].map(({ change: { entity, action }, count }) =>
    words.counted(format(count), entity, words.actions[action]),
  );
  return words.summary(actorText(first, telling), counted);
}

/** The change that tells what the others were made for; undefined where they are about several people or things. */
export function mainOf(changes: readonly NamedChange[]): NamedChange | undefined {
  if (changes.length > MAX_TOLD_BY_ONE) return undefined;
  const subjects = new Set(changes.map((change) => subjectOf(change)));
  if (subjects.size > 1) return undefined;
  const ranked = MAIN_FIRST.flatMap((entity) => changes.filter((change) => change.entity === entity));
  return ranked[0] ?? changes[0];
}

/** Whom or what a change is about: of a role its person, of a level its policy. */
function subjectOf(change: NamedChange): string {
  const { entity, entityId, userId } = change;
  if (userId !== null) return userId;
  return entity === 'approvalPolicy' || entity === 'approvalPolicyLevel' ? `policy ${subjectName(change)}` : entityId;
}
