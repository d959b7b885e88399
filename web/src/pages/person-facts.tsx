import type { ReactNode } from 'react';
import type { FullPerson, Person } from '../api/types.ts';
import { formatCount, formatDate, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CLIENT_TYPES } from '../labels.ts';
import { Copied, type Fact } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { roleName } from '../roles.ts';
import { Amount } from '../session/money.tsx';
import { t } from '../translate.ts';

/** Names of companies by id, as far as known. */
export type CompanyNames = ReadonlyMap<string, string>;

/** Where a person works, on their own profile. */
export function workFacts(person: Person): Fact[] {
  const { company } = person;
  return [
    [t('Company'), company.name],
    [t('Legal name'), company.legalName],
    [t('GSTIN'), <Copied key="gstin" text={company.gstin} label={t('GSTIN')} />],
    [t('Company status'), company.active ? t('Active') : t('Inactive')],
    ...assignmentFacts(person, false),
  ];
}

function linked(href: string, text: ReactNode) {
  return (
    <TextLink key={href} href={href}>
      {text}
    </TextLink>
  );
}

/** A person's position in their company; with the company's name for users who see people of several. */
export function assignmentFacts(
  { company, companyId, department, band, clientType }: Person,
  withCompany: boolean,
): Fact[] {
  return [
    ...(withCompany ? [[t('Company'), linked(`/companies/${companyId}`, company.name)] as const] : []),
    [t('Department'), department.name],
    [t('Cost code'), department.costCode],
    [t('Band'), `${isolated(band.name)} (${isolated(band.code)})`],
    [t('Client type'), CLIENT_TYPES[clientType]],
  ];
}

/** A person's employment, as far as it is known. @param isLinked whether the manager's page can be opened */
export function employmentFacts(employment: FullPerson['employment'] | null | undefined, isLinked: boolean): Fact[] {
  if (!employment) return [];
  const { manager, startDate, endDate } = employment;
  const name = manager && `${manager.firstName} ${manager.lastName}`;
  const known: [string, Fact[1]][] = [
    [t('Job title'), employment.jobTitle],
    [t('Employee number'), employment.employeeNumber],
    [t('Cost centre'), employment.costCenter],
    [t('Manager', { context: 'field' }), manager && isLinked ? linked(`/people/${manager.id}`, name) : name],
    [t('First day'), startDate && formatDate(startDate)],
    [t('Last day'), endDate && formatDate(endDate)],
  ];
  return known.filter(([, value]) => value !== null);
}

/** A person's limits of approvals and bookings, and loyalty points. */
export function moneyFacts({ approvalLimit, band, loyaltyPoints }: Person): Fact[] {
  return [
    [t('Approval limit'), <Amount key="limit" of={approvalLimit} />],
    [t('Approved automatically up to'), <Amount key="limit" of={band.autoApprovalLimit} />],
    [
      t('Maximum booking'),
      band.maxBookingLimit === null ? t('no limit') : <Amount key="limit" of={band.maxBookingLimit} />,
    ],
    [t('Loyalty points'), formatCount(loyaltyPoints)],
  ];
}

/** A person's roles, with their companies. */
export function accessFacts({ systemRoleMap, companyRoles, company }: Person, names: CompanyNames): Fact[] {
  const system =
    systemRoleMap && `${roleName(systemRoleMap.role)}${systemRoleMap.active ? '' : `, ${t('not active')}`}`;
  const held = companyRoles.map((one) => roleAt(one, company, names));
  return [
    ...(system ? [[t('Platform role'), system] as const] : []),
    [t('Roles in companies'), held.length === 0 ? t('none') : held.join('; ')],
  ];
}

/** Returns the text of a role and its company. */
export function roleAt(
  { companyId, role }: Person['companyRoles'][number],
  company: Person['company'],
  names: CompanyNames,
): string {
  const where = companyId === company.id ? company.name : (names.get(companyId) ?? companyId);
  return `${roleName(role)}, ${isolated(where)}`;
}

/** The metadata of a person's record. */
export function recordFacts({ id, createdAt, updatedAt }: Person): Fact[] {
  return [
    [t('Registered'), formatMoment(createdAt)],
    [t('Last changed'), formatMoment(updatedAt)],
    [t('User id'), <Copied key="id" text={id} label={t('User id')} />],
  ];
}
