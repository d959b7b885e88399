import { ENTITIES } from '../../../src/entities/entities.ts';
import { parseAmount } from '../../../src/entities/money.ts';
import { money } from '../../../src/entities/values.ts';
import type { NamedChange } from '../api/types.ts';
import { formatCount, formatDate, formatMoment, type Money } from '../format.ts';
import { CLIENT_TYPES, fieldLabel, SCOPE_NAMES, WORKER_TYPE_NAMES } from '../labels.ts';
import { roleName } from '../roles.ts';
import { t } from '../translate.ts';
import { SUBJECT_LABELS } from './entity-pages.ts';
import type { HistoryLocale } from './history-sentences.ts';

type Value = NamedChange['changes'][number]['after'];

const AMOUNTS = ENTITIES.flatMap(({ fields }) =>
  Object.keys(fields).filter((name) => fields[name]?.kind === money && !/Percent$/.test(name)),
);

/** Formats a value as on the other pages. */
function valueText(field: string, value: Value, names: NamedChange['names'], { formatMoney }: Money): string {
  if (value === null || value === '') return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return formatCount(value);
  if (typeof value === 'object') return JSON.stringify(value);
  if (value.startsWith('data:')) return t('Image');
  if (AMOUNTS.includes(field) && parseAmount(value) !== undefined) return formatMoney(value);
  if (field === 'dateOfBirth' || /^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatMoment(value);
  if (field === 'scopes') return known(value, SCOPE_NAMES);
  if (field === 'entities') return known(value, SUBJECT_LABELS);
  if (field === 'workerType') return known(value, WORKER_TYPE_NAMES);
  if (value.split(' ').some((word) => names[word])) return known(value, names);
  return names[value] ?? (CLIENT_TYPES as Readonly<Record<string, string>>)[value] ?? roleName(value);
}

/** Returns the display names of space-separated codes. */
function known(value: string, names: Readonly<Record<string, string | null>>): string {
  return value
    .split(' ')
    .map((word) => names[word] ?? word)
    .join(', ');
}

/** Returns the history in the reader's language, with amounts as `money` has them. */
export function historyLocale(money: Money): HistoryLocale {
  return { fieldName: fieldLabel, valueText: (...value) => valueText(...value, money), roleName };
}
