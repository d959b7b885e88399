import type { ChangeGroup, NamedChange } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { wordsOf } from '../labels.ts';
import { t } from '../translate.ts';

/** How the history shows fields, values and roles. */
export interface HistoryLocale {
  fieldName: (field: string) => string;
  /** @param names of the ids among the values */
  valueText: (field: string, value: Value, names: NamedChange['names']) => string;
  roleName: (role: string) => string;
}

type FieldChange = NamedChange['changes'][number];
type Value = FieldChange['after'];

/** The actors without a name. */
const UNNAMED = {
  user: t('Platform staff'),
  key: t('An API key'),
  import: t('An import'),
  command: t('The command line'),
};
/** What happened to an object. */
export const ACTIONS = {
  added: t('Added'),
  changed: t('Changed'),
  removed: t('Deleted'),
  erased: t('Values erased'),
  refused: t('Refused'),
  searched: t('Searched'),
};

/** Returns who made a change, as the subject of a sentence; names are bidi-isolated. */
export function actorText({ actor, actorName }: Pick<NamedChange, 'actor' | 'actorName'>): string {
  if (actorName === null) return UNNAMED[actor.kind];
  return actor.kind === 'key' ? t('The API key {name}', { name: isolated(actorName) }) : isolated(actorName);
}

/** Returns the name of a change's object; for a level that of its policy, even if the level is gone. Null if unknown. */
export function subjectName({ entity, entityName, policyId, names }: NamedChange): string | null {
  return entityName ?? (entity === 'approvalPolicyLevel' ? (names[policyId ?? ''] ?? null) : null);
}

/** Returns a change as a sentence: "Asha Rao moved Priya Das from Sales to Legal". */
export function sentenceOf(change: NamedChange, locale: HistoryLocale): string {
  const who = actorText(change);
  const name = subjectName(change);
  const label = wordsOf(change.entity);
  const subject = name === null ? label.some() : label.named(isolated(name));
  if (change.action === 'refused') {
    return t('{who} tried to save people of {subject} under ids or e-mail addresses that are taken', { who, subject });
  }
  if (change.action === 'erased') return t('{who} erased the earlier personal values of {subject}', { who, subject });
  switch (change.entity) {
    case 'companyRole':
    case 'systemRole':
      return roleSentence(change, who, subject, locale);
    case 'approvalPolicyLevel':
      return levelSentence(change, who, subject, locale);
    default:
      break;
  }
  if (change.action === 'added') return t('{who} added {subject}', { who, subject });
  if (change.action === 'removed') return t('{who} deleted {subject}', { who, subject });
  return singleSentence(change, who, subject, locale) ?? changedText(change, who, subject, locale);
}

function changedText(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string {
  const { entity, entityId, actor } = change;
  const isOwn = entity === 'user' && actor.userId === entityId;
  return t('{who} changed {subject}: {what}', {
    who,
    subject: isOwn ? t('their own profile') : subject,
    what: fieldTexts(change, locale).join('; '),
  });
}

/** Returns the change of each field as text. */
export function fieldTexts(change: NamedChange, { fieldName, valueText }: HistoryLocale): string[] {
  // The budget says what those over time repeat.
  const isShown = ({ field }: { field: string }) =>
    field !== 'budgets' || change.changes.every((other) => other.field !== 'budget');
  return change.changes.filter(isShown).map(({ field, before, after, kept }) => {
    const name = fieldName(field);
    if (!kept) return `${name} (${t('value not kept')})`;
    const text = (value: Value) => isolated(valueText(field, value, change.names));
    if (isNothing(before)) return t('{field} set to {after}', { field: name, after: text(after) });
    if (isNothing(after)) return t('{field} cleared, was {before}', { field: name, before: text(before) });
    return t('{field} from {before} to {after}', { field: name, before: text(before), after: text(after) });
  });
}

function isNothing(value: Value): boolean {
  return value === null || value === '';
}

/** Returns the sentence of a change that has a special one; otherwise undefined. */
function singleSentence(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string | undefined {
  const { valueText } = locale;
  const [only, ...others] = change.changes;
  if (only === undefined || others.length > 0 || !only.kept) return undefined;
  const { field, before, after } = only;
  if (field === 'active') {
    return after === true
      ? t('{who} reactivated {subject}', { who, subject })
      : t('{who} deactivated {subject}', { who, subject });
  }
  if (field === 'revokedAt' && after !== null) return t('{who} revoked {subject}', { who, subject });
  if (field !== 'departmentId' || isNothing(before) || isNothing(after)) return undefined;
  const text = (value: Value) => isolated(valueText(field, value, change.names));
  return t('{who} moved {subject} from {before} to {after}', {
    ...{ who, subject, before: text(before), after: text(after) },
  });
}

function roleSentence(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string {
  const field = change.changes.find((one) => one.field === 'role');
  const code = field?.after ?? field?.before;
  if (change.action === 'changed' || typeof code !== 'string') return changedText(change, who, subject, locale);
  const role = locale.roleName(code);
  const name = change.companyId === null ? null : change.names[change.companyId];
  const isGiven = change.action === 'added';
  if (change.entity === 'systemRole' || typeof name !== 'string') {
    return isGiven
      ? t('{who} gave {subject} the role {role}', { who, subject, role })
      : t('{who} took the role {role} from {subject}', { who, subject, role });
  }
  const company = isolated(name);
  return isGiven
    ? t('{who} gave {subject} the role {role} at {company}', { who, subject, role, company })
    : t('{who} took the role {role} at {company} from {subject}', { who, subject, role, company });
}

function levelSentence(change: NamedChange, who: string, subject: string, locale: HistoryLocale): string {
  const { roleName, valueText } = locale;
  if (change.action === 'changed') {
    const what = fieldTexts(change, locale).join('; ');
    return t('{who} changed a level of {subject}: {what}', { who, subject, what });
  }
  const value = (name: string): Value => {
    const found = change.changes.find(({ field }) => field === name);
    return found?.after ?? found?.before ?? null;
  };
  const amount = isolated(valueText('minAmount', value('minAmount'), change.names));
  const role = roleName(String(value('roleRequired') ?? ''));
  const level = t('{role} from {amount}', { role, amount });
  return change.action === 'added'
    ? t('{who} added a level to {subject}: {level}', { who, subject, level })
    : t('{who} removed a level from {subject}: {level}', { who, subject, level });
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
export function groupText(group: ChangeGroup, locale: HistoryLocale): string {
  const { main, counts, subjects, subjectCount } = group;
  if (isOfOne(group)) return sentenceOf(main, locale);
  const counted = counts.map(
    ({ entity, action, count }) =>
      `${wordsOf(entity).counted(count)} ${ACTIONS[action as NamedChange['action']].toLowerCase()}`,
  );
  const company = subjects.find(({ entity, name }) => name !== null && (entity === 'company' || subjectCount === 1));
  const text = `${actorText(main)}: ${counted.join(', ')}`;
  return company?.name ? `${text} (${isolated(company.name)})` : text;
}

/** Returns the next day, in the form `2026-01-31`. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
