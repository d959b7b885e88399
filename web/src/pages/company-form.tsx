import { useLocation } from 'wouter';
import { payment } from '../../../src/entities/booking.ts';
import { BRAND_FIELDS, company as described } from '../../../src/entities/company.ts';
import { budgetPeriodOn, todayIn } from '../../../src/entities/dates.ts';
import { user } from '../../../src/entities/user.ts';
import type { Band, Body, CompanyDetail, Department, Person } from '../api/types.ts';
import { formatMonth } from '../format.ts';
import { isolated } from '../isolated.ts';
import { PERIOD_NAMES } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { entityFields, type FormField, nested, typedOf } from '../parts/form-fields.ts';
import { ownDefaults, ownForm, useOwnFields } from '../parts/own-fields.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { Dimmed } from '../parts/text.tsx';
import { useSession } from '../session/session.tsx';
import { isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { changedBy } from './changed-by.ts';

/** Fields that only a Super Admin may change, except the contact. */
const OWN = entityFields(described, ['name', 'legalName', 'gstin', 'email', 'creditLimit', 'creditDays'], {
  name: { label: t('Company') },
  email: { label: t('E-mail of the company') },
});
/** Returns the name of a month of the year, from 1 on. */
export function monthName(month: number): string {
  return formatMonth(`2000-${String(month).padStart(2, '0')}`, false);
}

const CURRENCY = entityFields(described, ['currency'], { currency: { hint: 'INR, EUR, USD, JPY …' } });
const PERIOD = entityFields(described, ['budgetPeriod', 'fiscalYearStart', 'timeZone'], {
  budgetPeriod: { choices: choicesOf(PERIOD_NAMES) },
  fiscalYearStart: {
    ...{ kind: 'choice', sentAs: 'number' },
    choices: Array.from({ length: 12 }, (_, index) => ({ value: String(index + 1), label: monthName(index + 1) })),
  },
  timeZone: { isRequired: false, hint: 'Asia/Kolkata, Europe/Berlin, UTC …' },
});
const brand = {
  title: t('Name and logo of the product'),
  note: t('For the people of this company. What is empty is as for all companies.'),
};
const BRAND = entityFields(described, BRAND_FIELDS).map((field) => ({ ...field, group: brand }));
const CONTACT = OWN.filter(({ name }) => name === 'email');

const group = {
  title: t('First admin (optional)'),
  note: t('Can sign in and manage the company. Leave empty to add one later.'),
};
const ADMIN = entityFields(user, ['email', 'phone', 'firstName', 'lastName']).map((field) => ({
  ...field,
  name: `firstAdmin.${field.name}`,
  isRequired: false,
  group,
}));

/** Adds a company with its first Corporate Admin, and opens its page. */
export function AddCompany() {
  const { client } = useSession();
  const own = useOwnFields(described.name, null);
  const [, navigate] = useLocation();
  return (
    <FormButton
      title={t('Add a company')}
      variant="filled"
      fields={[...OWN, ...CURRENCY, ...PERIOD, ...ownForm(own), ...ADMIN]}
      first={{ budgetPeriod: 'YEAR', fiscalYearStart: '1', ...ownDefaults(own) }}
      save={(typed, key) =>
        client.post('/api/companies/create', nested(typed) as Body<'/api/companies/create'>, { key })
      }
      saved={({ data }) => t('{name} added.', { name: isolated(data.name) })}
      done={({ data }) => navigate(`/companies/${data.id}`)}
    />
  );
}

/** Records what a company paid. */
export function RecordPayment({ company }: { company: CompanyDetail }) {
  const { client } = useSession();
  return (
    <FormButton
      title={t('Record a payment')}
      fields={entityFields(payment, ['amount', 'reference'])}
      first={{}}
      save={(typed, key) =>
        client.post(
          '/api/companies/record-payment',
          { companyId: company.id, ...typed } as Body<'/api/companies/record-payment'>,
          { key },
        )
      }
      saved={() => t('Payment recorded.')}
    />
  );
}

/** Closes the days of a company before one. */
export function ClosePeriod({ company }: { company: CompanyDetail }) {
  const { client } = useSession();
  return (
    <FormButton
      title={t('Close a period')}
      fields={[{ name: 'to', label: t('First day that stays open'), kind: 'date', isRequired: true }]}
      first={{ to: budgetPeriodOn(todayIn(company.timeZone), company).from }}
      save={(typed, key) =>
        client.post(
          '/api/companies/close-period',
          { companyId: company.id, ...typed } as Body<'/api/companies/close-period'>,
          { key },
        )
      }
      saved={() => t('Period closed.')}
    >
      <Dimmed>{t('No booking of an earlier day is added or changes any more. This cannot be undone.')}</Dimmed>
    </FormButton>
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
  const own = useOwnFields(described.name, company.id);
  const defaults = [...(departments ? ['defaultDepartmentId'] : []), ...(bands ? ['defaultBandId'] : [])];
  const fields: FormField[] = [
    ...(isStaff ? [...OWN, ...CURRENCY] : CONTACT),
    ...PERIOD,
    ...entityFields(described, defaults, {
      defaultDepartmentId: { choices: choicesOf(departments, '–') },
      defaultBandId: { choices: choicesOf(bands, '–') },
    }),
    ...ownForm(own),
    ...BRAND,
  ];
  return (
    <FormButton
      edits
      title={name}
      variant="filled"
      fields={fields}
      first={typedOf(fields, company)}
      save={(changes) =>
        client.post('/api/companies/update', { id: company.id, ...nested(changes) } as Body<'/api/companies/update'>, {
          version,
        })
      }
      changedBy={() => changedBy(client, 'company', company.id)}
      saved={() => t('{name} saved.', { name })}
    >
      {!isStaff && <Dimmed>{t('Name, legal name, GSTIN and credit can only be changed by a Super Admin.')}</Dimmed>}
    </FormButton>
  );
}
