import type { ChangeGroup, NamedChange } from '../api/types.ts';
import type { historyTexts } from '../english/history.ts';
import { isolated } from '../isolated.ts';

/** A language of the history: its words, and the formats of its values. */
export interface HistoryLocale {
  words: typeof historyTexts;
  fieldName: (field: string) => string;
  /** @param names of the ids among the values */
  valueText: (field: string, value: Value, names: NamedChange['names']) => string;
  roleName: (role: string) => string;
}

type FieldChange = NamedChange['changes'][number];
type Value = FieldChange['after'];

/** Returns who made a change, as the subject of a sentence; names are bidi-isolated. */
export function actorText({ actor, actorName }: NamedChange, { words }: Pick<HistoryLocale, 'words'>): string {
  if (actorName === null) return words.actors[actor.kind];
  return actor.kind === 'key' ? words.keyNamed(isolated(actorName)) : isolated(actorName);
}

/** Returns the name of a change's object; for a level that of its policy, even if the level is gone. Null if unknown. */
export function subjectName({ entity, entityName, changes, names }: NamedChange): string | null {
  if (entityName !== null || entity !== 'approvalPolicyLevel') return entityName;
  const policy = changes.find(({ field }) => field === 'policyId');
  return names[String(policy?.before ?? policy?.after)] ?? null;
}

/** Returns a change as a sentence: "Asha Rao moved Priya Das from Sales to Legal". */
export function sentenceOf(change: NamedChange, locale: HistoryLocale): string {
  const { words } = locale;
  const who = actorText(change, locale);
  const name = subjectName(change);
  const subject = words.subject(change.entity, name === null ? undefined : isolated(name));
  if (change.action === 'refused') return words.refused(who, subject);
  if (change.action === 'erased') return words.erased(who, subject);
  switch (change.entity) {
    case 'companyRole':
    case 'systemRole':
      return roleSentence(change, who, subject, locale);
    case 'approvalPolicyLevel':
      return levelSentence(change, who, subject, locale);
    default:
      break;
  }
  if (change.action === 'added') return words.added(who, subject);
  if (change.action === 'removed') return words.removed(who, subject);
  return singleSentence(change, who, subject, locale) ?? words.changed(who, subject, fieldTexts(change, locale));
}

/** Returns the change of each field as text. */
export function fieldTexts(change: NamedChange, { words, fieldName, valueText }: HistoryLocale): string[] {
  return change.changes.map(({ field, before, after, kept }) => {
    const name = fieldName(field);
    const text = (value: Value) => isolated(valueText(field, value, change.names));
    if (!kept) return `${name} (${words.notKept})`;
    if (isNothing(before)) return words.setTo(name, text(after));
    return isNothing(after) ? words.cleared(name, text(before)) : words.fromTo(name, text(before), text(after));
  });
}

function isNothing(value: Value): boolean {
  return value === null || value === '';
}

/** Returns the sentence of a change that has a special one; otherwise undefined. */
function singleSentence(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string | undefined {
  const { words, valueText } = locale;
  const [only, ...others] = change.changes;
  if (only === undefined || others.length > 0 || !only.kept) return undefined;
  const { field, before, after } = only;
  if (field === 'active') return (after === true ? words.activated : words.deactivated)(who, subject);
  if (field === 'revokedAt' && after !== null) return words.revoked(who, subject);
  if (field !== 'departmentId' || isNothing(before) || isNothing(after)) return undefined;
  const text = (value: Value) => isolated(valueText(field, value, change.names));
  return words.moved(who, subject, text(before), text(after));
}

function roleSentence(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string {
  const { words, roleName } = locale;
  const field = change.changes.find((one) => one.field === 'role');
  const role = field?.after ?? field?.before;
  if (change.action === 'changed' || typeof role !== 'string') {
    return words.changed(who, subject, fieldTexts(change, locale));
  }
  const company = change.companyId === null ? null : change.names[change.companyId];
  const isGiven = change.action === 'added';
  if (change.entity === 'systemRole' || typeof company !== 'string') {
    return (isGiven ? words.gave : words.took)(who, subject, roleName(role));
  }
  return (isGiven ? words.gaveAt : words.tookAt)(who, subject, roleName(role), isolated(company));
}

function levelSentence(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string {
  const { words, roleName, valueText } = locale;
  if (change.action === 'changed') return words.levelChanged(who, subject, fieldTexts(change, locale));
  const value = (name: string): Value => {
    const found = change.changes.find(({ field }) => field === name);
    return found?.after ?? found?.before ?? null;
  };
  const amount = isolated(valueText('minAmount', value('minAmount'), change.names));
  const level = words.levelFrom(roleName(String(value('roleRequired') ?? '')), amount);
  return (change.action === 'added' ? words.levelAdded : words.levelRemoved)(who, subject, level);
}

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
