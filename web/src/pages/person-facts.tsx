import type { ReactNode } from 'react';
import type { FullPerson, Person } from '../api/types.ts';
import { formatCount, formatDate, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Copied, type Fact } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Amount } from '../session/money.tsx';
import { roleName, profileTexts as words } from '../texts.ts';

const { facts } = words;

/** Names of companies by id, as far as known. */
export type CompanyNames = ReadonlyMap<string, string>;

/** Where a person works, on their own profile. */
export function workFacts(person: Person): Fact[] {
  const { company } = person;
  return [
    [facts.company, company.name],
    [facts.legalName, company.legalName],
    [facts.gstin, <Copied key="gstin" text={company.gstin} label={facts.gstin} />],
    [facts.companyStatus, company.active ? facts.active : facts.inactive],
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
    ...(withCompany ? [[facts.company, linked(`/companies/${companyId}`, company.name)] as const] : []),
    [facts.department, department.name],
    [facts.costCode, department.costCode],
    [facts.band, `${isolated(band.name)} (${isolated(band.code)})`],
    [facts.clientType, words.clientTypes[clientType]],
  ];
}

/** A person's employment, as far as it is known. @param isLinked whether the manager's page can be opened */
export function employmentFacts(employment: FullPerson['employment'] | null | undefined, isLinked: boolean): Fact[] {
  if (!employment) return [];
  const { manager, startDate, endDate } = employment;
  const names = words.employment;
  const name = manager && `${manager.firstName} ${manager.lastName}`;
  const known: [string, Fact[1]][] = [
    [names.jobTitle, employment.jobTitle],
    [names.employeeNumber, employment.employeeNumber],
    [names.costCenter, employment.costCenter],
    [names.managerId, manager && isLinked ? linked(`/people/${manager.id}`, name) : name],
    [names.startDate, startDate && formatDate(startDate)],
    [names.endDate, endDate && formatDate(endDate)],
  ];
  return known.filter(([, value]) => value !== null);
}

/** A person's limits of approvals and bookings, and loyalty points. */
export function moneyFacts({ approvalLimit, band, loyaltyPoints }: Person): Fact[] {
  return [
    [facts.approvalLimit, <Amount key="limit" of={approvalLimit} />],
    [facts.autoApprovalLimit, <Amount key="limit" of={band.autoApprovalLimit} />],
    [
      facts.maxBookingLimit,
      band.maxBookingLimit === null ? facts.noLimit : <Amount key="limit" of={band.maxBookingLimit} />,
    ],
    [facts.loyaltyPoints, formatCount(loyaltyPoints)],
  ];
}

/** A person's roles, with their companies. */
export function accessFacts({ systemRoleMap, companyRoles, company }: Person, names: CompanyNames): Fact[] {
  const system =
    systemRoleMap && `${roleName(systemRoleMap.role)}${systemRoleMap.active ? '' : `, ${facts.inactiveRole}`}`;
  const held = companyRoles.map((one) => roleAt(one, company, names));
  return [
    ...(system ? [[facts.systemRole, system] as const] : []),
    [facts.companyRoles, held.length === 0 ? facts.noRole : held.join('; ')],
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
    [facts.createdAt, formatMoment(createdAt)],
    [facts.updatedAt, formatMoment(updatedAt)],
    [facts.id, <Copied key="id" text={id} label={facts.id} />],
  ];
}
