import { texts } from '../texts.ts';
import { companyTexts } from '../texts-company.ts';
import { historyTexts as words } from '../texts-history.ts';
import { pageTexts } from '../texts-pages.ts';
import { peopleTexts } from '../texts-people.ts';
import { profileTexts } from '../texts-profile.ts';

/** The names that fields have elsewhere on the pages. */
const NAMES: Readonly<Record<string, string>> = {
  ...profileTexts.fields,
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
  autoApprovalLimit: companyTexts.autoApprovalLimit,
  maxBookingLimit: companyTexts.maxBookingLimit,
};

/** A field as people call it; one that is new here by the name that it has. */
export function fieldName(field: string): string {
  return NAMES[field] ?? field;
}

/** A value before or after a change. */
export function shownValue(value: string | number | boolean | null): string {
  if (value === null || value === '') return words.empty;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return texts.roles[String(value)] ?? String(value);
}
