import type { Person } from '../api/types.ts';
import { formatCount, formatMoment, formatMoney } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Copied } from '../parts/copied.tsx';
import type { Fact } from '../parts/facts.tsx';
import { roleName } from '../texts.ts';
import { profileTexts as words } from '../texts-profile.ts';

const { facts } = words;

/** Names of companies by their ids, where they are known. */
export type CompanyNames = ReadonlyMap<string, string>;

/** Where somebody works. */
export function workFacts({ company, department, band, clientType }: Person): Fact[] {
  return [
    [facts.company, company.name],
    [facts.legalName, company.legalName],
    [facts.gstin, <Copied key="gstin" text={company.gstin} label={facts.gstin} />],
    [facts.companyStatus, company.active ? facts.active : facts.inactive],
    [facts.department, department.name],
    [facts.costCode, department.costCode],
    [facts.band, `${isolated(band.name)} (${isolated(band.code)})`],
    [facts.clientType, words.clientTypes[clientType]],
  ];
}

/** What somebody may spend and approve. */
export function moneyFacts({ approvalLimit, band, loyaltyPoints }: Person): Fact[] {
  return [
    [facts.approvalLimit, formatMoney(approvalLimit)],
    [facts.autoApprovalLimit, formatMoney(band.autoApprovalLimit)],
    [facts.maxBookingLimit, band.maxBookingLimit === null ? facts.noLimit : formatMoney(band.maxBookingLimit)],
    [facts.loyaltyPoints, formatCount(loyaltyPoints)],
  ];
}

/** The roles that somebody holds, and where. */
export function accessFacts(
  { roles, systemRoleMap, companyRoles, company, active }: Person,
  names: CompanyNames,
): Fact[] {
  const held = companyRoles.map(({ companyId, role }) => {
    const where = companyId === company.id ? company.name : (names.get(companyId) ?? companyId);
    return `${roleName(role)}, ${isolated(where)}`;
  });
  const system =
    systemRoleMap && `${roleName(systemRoleMap.role)}${systemRoleMap.active ? '' : `, ${facts.inactiveRole}`}`;
  return [
    [facts.roles, roles.length === 0 ? facts.noRole : roles.map(roleName).join(', ')],
    [facts.systemRole, system ?? facts.noRole],
    [facts.companyRoles, held.length === 0 ? facts.noRole : held.join('; ')],
    [facts.status, active ? facts.active : facts.inactive],
  ];
}

/** What is kept of somebody besides. */
export function recordFacts({ id, email, createdAt, updatedAt }: Person): Fact[] {
  return [
    [facts.email, email],
    [facts.createdAt, formatMoment(createdAt)],
    [facts.updatedAt, formatMoment(updatedAt)],
    [facts.id, <Copied key="id" text={id} label={facts.id} />],
  ];
}
