import { Paper, SimpleGrid, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Profile } from '../api/client.ts';
import { formatCount, formatMoment, formatMoney } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Failed, Loading, PageHead } from '../parts/states.tsx';
import { useProfile } from '../session/use-profile.ts';
import { roleName, texts } from '../texts.ts';
import { profileTexts as words } from '../texts-profile.ts';
import classes from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';

const { facts } = words;

/** The own profile: what one looks after oneself, and what others do. */
export function ProfilePage() {
  const own = useProfile();
  if (!own.data) {
    return own.isError ? <Failed error={own.error} again={() => void own.refetch()} /> : <Loading rows={8} />;
  }
  const { profile } = own.data;
  return (
    <>
      <PageHead title={texts.pages.profile} lead={words.lead} />
      <div className={classes.columns}>
        <ProfileForm own={own.data} />
        <SimpleGrid cols={{ base: 1, sm: 2, md: 1, lg: 2 }} spacing="md" className={classes.facts ?? ''}>
          <Facts title={words.work} facts={workFacts(profile)} />
          <Facts title={words.money} facts={moneyFacts(profile)} />
          <Facts title={words.access} facts={accessFacts(profile)} />
          <Facts title={words.record} facts={recordFacts(profile)} />
        </SimpleGrid>
      </div>
    </>
  );
}

type Fact = readonly [name: string, value: ReactNode];

function Facts({ title, facts: shown }: { title: string; facts: readonly Fact[] }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <dl className={classes.list}>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}

function workFacts({ company, department, band, clientType }: Profile): Fact[] {
  return [
    [facts.company, company.name],
    [facts.legalName, company.legalName],
    [facts.gstin, company.gstin],
    [facts.companyStatus, company.active ? facts.active : facts.inactive],
    [facts.department, department.name],
    [facts.costCode, department.costCode],
    [facts.band, `${isolated(band.name)} (${isolated(band.code)})`],
    [facts.clientType, words.clientTypes[clientType]],
  ];
}

function moneyFacts({ approvalLimit, band, loyaltyPoints }: Profile): Fact[] {
  return [
    [facts.approvalLimit, formatMoney(approvalLimit)],
    [facts.autoApprovalLimit, formatMoney(band.autoApprovalLimit)],
    [facts.maxBookingLimit, band.maxBookingLimit === null ? facts.noLimit : formatMoney(band.maxBookingLimit)],
    [facts.loyaltyPoints, formatCount(loyaltyPoints)],
  ];
}

function accessFacts({ roles, systemRoleMap, companyRoles, company, active }: Profile): Fact[] {
  const held = companyRoles.map(({ companyId, role }) => {
    const where = companyId === company.id ? company.name : companyId;
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

function recordFacts({ id, email, createdAt, updatedAt }: Profile): Fact[] {
  return [
    [facts.email, email],
    [facts.createdAt, formatMoment(createdAt)],
    [facts.updatedAt, formatMoment(updatedAt)],
    [facts.id, id],
  ];
}
