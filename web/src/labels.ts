import type { Change } from './api/types.ts';
import { t } from './translate.ts';

/** How texts speak of the objects of an entity. */
interface EntityLabel {
  label: string;
  /** In a sentence: with its name, and where the name is unknown. */
  named: (name: string) => string;
  some: () => string;
  counted: (count: number) => string;
}

/** The words for each entity of the audit trail. */
export const ENTITY_WORDS: Readonly<Record<Change['entity'], EntityLabel>> = {
  company: {
    label: t('Company'),
    named: (name) => t('the company {name}', { name }),
    some: () => t('a company'),
    counted: (count) => t('{count, plural, one {# company} other {# companies}}', { count }),
  },
  department: {
    label: t('Department'),
    named: (name) => t('the department {name}', { name }),
    some: () => t('a department'),
    counted: (count) => t('{count, plural, one {# department} other {# departments}}', { count }),
  },
  band: {
    label: t('Band'),
    named: (name) => t('the band {name}', { name }),
    some: () => t('a band'),
    counted: (count) => t('{count, plural, one {# band} other {# bands}}', { count }),
  },
  user: {
    label: t('Person'),
    named: (name) => name,
    some: () => t('somebody'),
    counted: (count) => t('{count, plural, one {# person} other {# people}}', { count }),
  },
  companyRole: {
    label: t('Role in a company'),
    named: (name) => name,
    some: () => t('somebody', { context: 'role' }),
    counted: (count) => t('{count, plural, one {# role} other {# roles}}', { count }),
  },
  systemRole: {
    label: t('Role on the platform'),
    named: (name) => name,
    some: () => t('somebody', { context: 'role' }),
    counted: (count) => t('{count, plural, one {# platform role} other {# platform roles}}', { count }),
  },
  approvalPolicy: {
    label: t('Approval policy'),
    named: (name) => t('the approval policy {name}', { name }),
    some: () => t('an approval policy'),
    counted: (count) => t('{count, plural, one {# approval policy} other {# approval policies}}', { count }),
  },
  approvalPolicyLevel: {
    label: t('Level of a policy'),
    named: (name) => t('the approval policy {name}', { name }),
    some: () => t('an approval policy'),
    counted: (count) => t('{count, plural, one {# level of a policy} other {# levels of policies}}', { count }),
  },
  apiKey: {
    label: t('API key'),
    named: (name) => t('the API key {name}', { name }),
    some: () => t('an API key'),
    counted: (count) => t('{count, plural, one {# API key} other {# API keys}}', { count }),
  },
  webhook: {
    label: t('Webhook'),
    named: (name) => t('the webhook {name}', { name }),
    some: () => t('a webhook'),
    counted: (count) => t('{count, plural, one {# webhook} other {# webhooks}}', { count }),
  },
  groupMapping: {
    label: t('Group mapping'),
    named: (name) => t('the group mapping {name}', { name }),
    some: () => t('a group mapping'),
    counted: (count) => t('{count, plural, one {# group mapping} other {# group mappings}}', { count }),
  },
  signInConnection: {
    label: t('Sign-in connection'),
    named: (name) => t('the sign-in connection {name}', { name }),
    some: () => t('a sign-in connection'),
    counted: (count) => t('{count, plural, one {# sign-in connection} other {# sign-in connections}}', { count }),
  },
};

/** The label of each entity. */
export const ENTITY_LABELS = Object.fromEntries(
  Object.entries(ENTITY_WORDS).map(([name, { label }]) => [name, label]),
) as Readonly<Record<Change['entity'], string>>;

export const PROFILE_FIELDS = {
  firstName: t('First name'),
  lastName: t('Last name'),
  phone: t('Phone'),
  dateOfBirth: t('Date of birth'),
  gender: t('Gender'),
  addressLine1: t('Address'),
  addressLine2: t('Address, second line'),
  pincode: t('PIN code'),
};

export const EMPLOYMENT_FIELDS = {
  title: t('Employment'),
  note: t('Before the first and after the last day nobody can sign in or approve.'),
  employeeNumber: t('Employee number'),
  jobTitle: t('Job title'),
  costCenter: t('Cost centre'),
  managerId: t('Manager', { context: 'field' }),
  startDate: t('First day'),
  endDate: t('Last day'),
  reports: t('Manages'),
};

export const CLIENT_TYPES = {
  CORPORATE: t('Corporate'),
  AGENCY: t('Agency'),
  DIRECT: t('Direct'),
};

export const PERIOD_NAMES = {
  MONTH: t('a month'),
  QUARTER: t('a quarter'),
  YEAR: t('a year'),
};

export const HISTORY_FIELDS = {
  signIn: t('Sign-in'),
  issuer: t('Issuer'),
  audience: t('Audience', { context: 'history' }),
  clientId: t('Client of the console'),
  algorithm: t('Algorithm'),
  subjectClaim: t('Claim of a person', { context: 'history' }),
  tokenUse: t('Token'),
  emailsVerified: t('Addresses count as verified'),
  domainNames: t('Domains'),
  level: t('Level'),
  roleRequired: t('Role that approves'),
  minAmount: t('Amount from which it approves'),
  scopes: t('Permissions'),
  prefix: t('Key begins with'),
  createdAt: t('Added at'),
  createdBy: t('Created by'),
  expiresAt: t('Expires'),
  revokedAt: t('Revoked at'),
  policyId: t('Approval policy'),
  url: t('URL'),
  entities: t('Events'),
  description: t('Description'),
  disabledReason: t('Reason'),
  secretRotatedAt: t('New secret at'),
  substituteId: t('Substitute'),
  substituteFrom: t('First day away'),
  substituteUntil: t('Last day away'),
  skippedChangeId: t('Skipped change'),
  create: t('People to add'),
  update: t('People to change'),
};

export const SCOPE_NAMES = {
  'users.read': t('Read people'),
  'users.write': t('Create and change people'),
  'policies.evaluate': t('Ask who has to approve'),
  'departments.read': t('Read departments and their budgets'),
  'organization.write': t('Change departments, bands and policies'),
  'companies.read': t('Read companies'),
  'companies.write': t('Create and change companies'),
  'events.read': t('Follow the changes'),
  'bookings.read': t('Read bookings and spending'),
  'bookings.write': t('Record bookings'),
  'webhooks.manage': t('Manage webhooks'),
  scim: t('Manage people by SCIM'),
};
