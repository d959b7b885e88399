import { ENTITIES } from '../../../src/entities/entities.ts';
import { parseAmount } from '../../../src/entities/money.ts';
import { money } from '../../../src/entities/values.ts';
import type { NamedChange } from '../api/types.ts';
import { formatCount, formatDate, formatMoment, type Money } from '../format.ts';
import { spendingTexts } from '../lazy-texts.ts';
import {
  companyTexts,
  keyTexts,
  pageTexts,
  peopleTexts,
  profileTexts,
  roleName,
  texts,
  historyTexts as words,
} from '../texts.ts';
import type { HistoryLocale } from './history-sentences.ts';

type Value = NamedChange['changes'][number]['after'];

/** The names of fields, as on the other pages. */
const NAMES: Readonly<Record<string, string>> = {
  ...profileTexts.fields,
  ...profileTexts.employment,
  email: peopleTexts.email,
  departmentId: peopleTexts.department,
  bandId: peopleTexts.band,
  approvalLimit: peopleTexts.approvalLimit,
  role: peopleTexts.role,
  clientType: profileTexts.facts.clientType,
  loyaltyPoints: profileTexts.facts.loyaltyPoints,
  active: pageTexts.companies.active,
  companyId: pageTexts.lists.company,
  userId: peopleTexts.name,
  name: peopleTexts.name,
  legalName: companyTexts.legalName,
  gstin: pageTexts.companies.gstin,
  creditLimit: pageTexts.companies.creditLimit,
  creditDays: pageTexts.companies.creditDays,
  defaultDepartmentId: companyTexts.defaultDepartment,
  defaultBandId: companyTexts.defaultBand,
  costCode: pageTexts.departments.costCode,
  budget: pageTexts.departments.budget,
  code: companyTexts.code,
  parentId: pageTexts.departments.parent,
  headId: pageTexts.departments.head,
  currency: spendingTexts.currency,
  budgetPeriod: spendingTexts.budgetPeriod,
  fiscalYearStart: spendingTexts.fiscalYearStart,
  departmentIds: companyTexts.scopeDepartments,
  bandIds: companyTexts.scopeBands,
  conditions: companyTexts.conditions,
  priority: companyTexts.priority,
  autoApprovalLimit: companyTexts.autoApprovalLimit,
  maxBookingLimit: companyTexts.maxBookingLimit,
  ...words.fields,
};

const AMOUNTS = ENTITIES.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name]?.kind === money));

/** Returns the display name of a field; an unknown one as it is. */
export function fieldName(field: string): string {
  return NAMES[field] ?? field;
}

/** Formats a value as on the other pages. */
function valueText(field: string, value: Value, names: NamedChange['names'], { formatMoney }: Money): string {
  if (value === null || value === '') return words.empty;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return formatCount(value);
  if (AMOUNTS.includes(field) && parseAmount(value) !== undefined) return formatMoney(value);
  if (field === 'dateOfBirth' || /^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatMoment(value);
  if (field === 'scopes') return known(value, keyTexts.scopeNames);
  if (field === 'entities') return known(value, words.entities);
  return names[value] ?? texts.roles[value] ?? CLIENT_TYPES[value] ?? value;
}

const CLIENT_TYPES: Readonly<Record<string, string>> = profileTexts.clientTypes;

/** Returns the display names of space-separated codes. */
function known(value: string, names: Readonly<Record<string, string>>): string {
  return value
    .split(' ')
    .map((word) => names[word] ?? word)
    .join(', ');
}

/** Returns the history in the reader's language, with amounts as `money` has them. */
export function historyLocale(money: Money): HistoryLocale {
  return { words, fieldName, valueText: (...value) => valueText(...value, money), roleName };
}
