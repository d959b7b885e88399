import type { ChangeGroup } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { actorText, type HistoryLocale, sentenceOf } from './history-sentences.ts';

/** Maximum changes of one person or object that the sentence of the main one stands for. */
const MAX_TOLD_BY_ONE = 8;

/** Returns the number of changes of a request or import. */
export function sizeOf({ counts }: ChangeGroup): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Returns whether the main change explains the others: they are few, about one person or object. */
export function isOfOne(group: ChangeGroup): boolean {
  return sizeOf(group) === 1 || (group.subjectCount === 1 && sizeOf(group) <= MAX_TOLD_BY_ONE);
}

/** Returns a request or import as one sentence: that of its main change, otherwise what was added, changed and removed. */
export function groupText(group: ChangeGroup, locale: HistoryLocale, format: (count: number) => string): string {
  const { main, counts, subjects, subjectCount } = group;
  if (isOfOne(group)) return sentenceOf(main, locale);
  const { words } = locale;
  const counted = counts.map(({ entity, action, count }) =>
    words.counted(format(count), entity as keyof typeof words.entities, words.actions[action as 'added']),
  );
  const company = subjects.find(({ entity, name }) => name !== null && (entity === 'company' || subjectCount === 1));
  const text = words.summary(actorText(main, locale), counted);
  return company?.name ? words.summaryOf(text, isolated(company.name)) : text;
}

/** Returns the next day, in the form `2026-01-31`. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
