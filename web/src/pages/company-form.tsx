import { Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { BUDGET_PERIODS, company as described } from '../../../src/entities/company.ts';
import { user } from '../../../src/entities/user.ts';
import type { Band, Body, CompanyDetail, Department, Person } from '../api/types.ts';
import { formatMonth, typedAmount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { spendingTexts as money } from '../lazy-texts.ts';
import { entityFields, type FormField, nested } from '../parts/form-fields.ts';
import { FormButton } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, peopleTexts, profileTexts, companyTexts as words } from '../texts.ts';
import { changedBy } from './changed-by.ts';

const columns = pageTexts.companies;

/** Fields that only a Super Admin may change, except the contact. */
const OWN = entityFields(described, {
  name: columns.name,
  legalName: words.legalName,
  gstin: columns.gstin,
  email: words.email,
  creditLimit: columns.creditLimit,
  creditDays: columns.creditDays,
});
/** Returns the name of a month of the year, from 1 on. */
export function monthName(month: number): string {
  return formatMonth(`2000-${String(month).padStart(2, '0')}`, false);
}

const CURRENCY: FormField = {
  ...entityFields(described, { currency: money.currency })[0],
  name: 'currency',
  label: money.currency,
  hint: 'INR, EUR, USD, JPY …',
};
const PERIOD: readonly FormField[] = [
  {
    ...{ name: 'budgetPeriod', label: money.budgetPeriod, kind: 'choice' },
    choices: BUDGET_PERIODS.map((value) => ({ value, label: money.periods[value] })),
  },
  {
    ...{ name: 'fiscalYearStart', label: money.fiscalYearStart, kind: 'choice', isNumber: true },
    choices: Array.from({ length: 12 }, (_, index) => ({ value: String(index + 1), label: monthName(index + 1) })),
  },
];
const CONTACT = OWN.filter(({ name }) => name === 'email');

const group = { title: words.firstAdmin, note: words.firstAdminNote };
const { phone, firstName, lastName } = profileTexts.fields;
const ADMIN = entityFields(user, { email: peopleTexts.email, phone, firstName, lastName }).map((field) => ({
  ...field,
  name: `firstAdmin.${field.name}`,
  isRequired: false,
  group,
}));

/** Adds a company with its first Corporate Admin, and opens its page. */
export function AddCompany() {
  const { client } = useSession();
  const [, navigate] = useLocation();
  return (
    <FormButton
      title={words.add}
      variant="filled"
      fields={[...OWN, CURRENCY, ...PERIOD, ...ADMIN]}
      first={{ budgetPeriod: 'YEAR', fiscalYearStart: '1' }}
      save={(typed, key) =>
        client.post('/api/companies/create', nested(typed) as Body<'/api/companies/create'>, { key })
      }
      saved={({ data }) => words.added(isolated(data.name))}
      done={({ data }) => navigate(`/companies/${data.id}`)}
    />
  );
}

interface EditCompanyProps {
  company: CompanyDetail;
  version: string;
  caller: Person;
  departments: readonly Department[] | undefined;
  bands: readonly Band[] | undefined;
}

/** Changes a company; its own Corporate Admins may change only its contact and defaults. */
export function EditCompany({ company, version, caller, departments, bands }: EditCompanyProps) {
  const { client } = useSession();
  const name = isolated(company.name);
  const isStaff = isSuperAdmin(caller);
  const choices = (things: readonly { id: string; name: string }[]) => [
    { value: '', label: pageTexts.form.none },
    ...things.map(({ id, name: label }) => ({ value: id, label })),
  ];
  const defaults = { kind: 'choice', isNullable: true } as const;
  const fields: FormField[] = [
    ...(isStaff ? [...OWN, CURRENCY] : CONTACT),
    ...PERIOD,
    ...(departments
      ? [{ name: 'defaultDepartmentId', label: words.defaultDepartment, choices: choices(departments), ...defaults }]
      : []),
    ...(bands ? [{ name: 'defaultBandId', label: words.defaultBand, choices: choices(bands), ...defaults }] : []),
  ];
  const values: Readonly<Record<string, unknown>> = { ...company, creditLimit: typedAmount(company.creditLimit) };
  const first = Object.fromEntries(fields.map(({ name: field }) => [field, String(values[field] ?? '')]));
  return (
    <FormButton
      edits
      title={name}
      variant="filled"
      fields={fields}
      first={first}
      save={(changes) =>
        client.post('/api/companies/update', { id: company.id, ...changes } as Body<'/api/companies/update'>, {
          version,
        })
      }
      changedBy={() => changedBy(client, 'company', company.id)}
      saved={() => words.saved(name)}
    >
      {!isStaff && (
        <Text size="sm" c="dimmed">
          {words.ofTheStaff}
        </Text>
      )}
    </FormButton>
  );
}
