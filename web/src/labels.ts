import type { OwnField } from './api/types.ts';
import { readerLanguages, t, translated } from './translate.ts';

/** How texts speak of the objects of an entity. */
interface EntityLabel {
  label: string;
  /** In a sentence: with its name, and where the name is unknown. */
  named: (name: string) => string;
  some: () => string;
  counted: (count: number) => string;
}

/** The words for each entity of the audit trail; a label only if its name does not make it. */
export const ENTITY_WORDS: Readonly<Record<string, Omit<EntityLabel, 'label'> & { label?: string }>> = {
  company: {
    named: (name) => t('the company {name}', { name }),
    some: () => t('a company'),
    counted: (count) => t('{count, plural, one {# company} other {# companies}}', { count }),
  },
  department: {
    named: (name) => t('the department {name}', { name }),
    some: () => t('a department'),
    counted: (count) => t('{count, plural, one {# department} other {# departments}}', { count }),
  },
  band: {
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
  costCenter: {
    label: t('Cost centre', { context: 'column' }),
    named: (name) => t('the cost centre {name}', { name }),
    some: () => t('a cost centre'),
    counted: (count) => t('{count, plural, one {# cost centre} other {# cost centres}}', { count }),
  },
  group: {
    named: (name) => t('the group {name}', { name }),
    some: () => t('a group'),
    counted: (count) => t('{count, plural, one {# group} other {# groups}}', { count }),
  },
  role: {
    label: t('Own role'),
    named: (name) => t('the role {name}', { name }),
    some: () => t('a role'),
    counted: (count) => t('{count, plural, one {# own role} other {# own roles}}', { count }),
  },
  roleGrant: {
    label: t('Holder of an own role'),
    named: (name) => name,
    some: () => t('somebody', { context: 'role' }),
    counted: (count) => t('{count, plural, one {# holder of an own role} other {# holders of own roles}}', { count }),
  },
  legalEntity: {
    named: (name) => t('the legal entity {name}', { name }),
    some: () => t('a legal entity'),
    counted: (count) => t('{count, plural, one {# legal entity} other {# legal entities}}', { count }),
  },
  field: {
    label: t('Field of one’s own'),
    named: (name) => t('the field {name}', { name }),
    some: () => t('a field'),
    counted: (count) => t('{count, plural, one {# field} other {# fields}}', { count }),
  },
  taxRegistration: {
    named: (name) => t('the tax registration {name}', { name }),
    some: () => t('a tax registration'),
    counted: (count) => t('{count, plural, one {# tax registration} other {# tax registrations}}', { count }),
  },
  substitution: {
    named: (name) => t('the substitution of {name}', { name }),
    some: () => t('a substitution'),
    counted: (count) => t('{count, plural, one {# substitution} other {# substitutions}}', { count }),
  },
  payment: {
    named: (name) => t('the payment {name}', { name }),
    some: () => t('a payment'),
    counted: (count) => t('{count, plural, one {# payment} other {# payments}}', { count }),
  },
  apiKey: {
    label: t('API key'),
    named: (name) => t('the API key {name}', { name }),
    some: () => t('an API key'),
    counted: (count) => t('{count, plural, one {# API key} other {# API keys}}', { count }),
  },
  webhook: {
    named: (name) => t('the webhook {name}', { name }),
    some: () => t('a webhook'),
    counted: (count) => t('{count, plural, one {# webhook} other {# webhooks}}', { count }),
  },
  directory: {
    named: (name) => t('the directory {name}', { name }),
    some: () => t('a directory'),
    counted: (count) => t('{count, plural, one {# directory} other {# directories}}', { count }),
  },
  mail: {
    named: (name) => t('a mail to {name}', { name }),
    some: () => t('a mail'),
    counted: (count) => t('{count, plural, one {# mail} other {# mails}}', { count }),
  },
  userMove: {
    label: t('Move to another company'),
    named: (name) => t('the move of {name}', { name }),
    some: () => t('a move to another company'),
    counted: (count) => t('{count, plural, one {# move} other {# moves}}', { count }),
  },
  groupMapping: {
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
  traveller: {
    named: (name) => t('the travel data of {name}', { name }),
    some: () => t('travel data'),
    counted: (count) => t('{count, plural, one {# traveller} other {# travellers}}', { count }),
  },
  travellerDocument: {
    label: t('Travel document'),
    named: (name) => t('the travel document {name}', { name }),
    some: () => t('a travel document'),
    counted: (count) => t('{count, plural, one {# travel document} other {# travel documents}}', { count }),
  },
  travellerProgramme: {
    label: t('Loyalty programme'),
    named: (name) => t('the loyalty programme {name}', { name }),
    some: () => t('a loyalty programme'),
    counted: (count) => t('{count, plural, one {# loyalty programme} other {# loyalty programmes}}', { count }),
  },
  travellerArranger: {
    label: t('Arranger'),
    named: (name) => t('the arranger {name}', { name }),
    some: () => t('an arranger'),
    counted: (count) => t('{count, plural, one {# arranger} other {# arrangers}}', { count }),
  },
};

/** Returns the words for an entity; of one without its own, those that its name makes. */
export function wordsOf(entity: string): EntityLabel {
  const label = translated(readable(entity));
  const made = { named: (name: string) => `${label} ${name}`, some: () => label };
  return { label, ...made, counted: (count) => `${count} ${label}`, ...ENTITY_WORDS[entity] };
}

/** Returns the title of the list of an entity, from the words for several of its objects. @param path of one without words */
export function titleOf(entity: string, path: string): string {
  const words = ENTITY_WORDS[entity]?.counted(2).replace(/^[\p{Nd}\s]+/u, '') ?? readable(path);
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** Returns a name of the contract in words: `Cost center` for `costCenter`. */
export function readable(name: string): string {
  const words = name.replaceAll('-', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The entities with words of their own. */
export const WORDED: readonly string[] = Object.keys(ENTITY_WORDS);

export const YES_NO = {
  true: t('yes'),
  false: t('no'),
};

export const ACTIVE_NAMES = {
  true: t('Active'),
  false: t('Inactive'),
};

export const CLIENT_TYPES = {
  CORPORATE: t('Corporate'),
  AGENCY: t('Agency'),
  DIRECT: t('Direct'),
};

export const WORKER_TYPE_NAMES = {
  EMPLOYEE: t('Employee', { context: 'kind' }),
  CONTINGENT: t('External worker'),
  INTERN: t('Intern'),
  GUEST: t('Guest traveller'),
};

export const PERIOD_NAMES = {
  MONTH: t('a month'),
  QUARTER: t('a quarter'),
  YEAR: t('a year'),
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
  'travellers.read': t('Read what people need to travel'),
  'travellers.documents': t('Read whole numbers of travel documents'),
  'travellers.emergency': t('Read emergency contacts'),
  scim: t('Manage people by SCIM'),
};

/** The labels of fields, in forms, tables and the history, that their names do not make. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  addressLine1: t('Address'),
  addressLine2: t('Address, second line'),
  pincode: t('PIN code'),
  costCenter: t('Cost centre'),
  managerId: t('Manager', { context: 'field' }),
  startDate: t('First day'),
  endDate: t('Last day'),
  email: t('E-mail'),
  workerType: t('Kind of person'),
  hostId: t('Host of a guest'),
  countryCode: t('Country'),
  externalId: t('External ID'),
  default: t('By default'),
  type: t('Kind'),
  userId: t('Name'),
  gstin: t('GSTIN'),
  parentId: t('Part of'),
  budgetPeriod: t('Budgets are for'),
  fiscalYearStart: t('The financial year begins in'),
  closedTo: t('Closed until'),
  brandName: t('Name of the product'),
  brandLogo: t('Logo'),
  brandColor: t('Colour of buttons and links'),
  brandSupport: t('Help: e-mail or https address'),
  brandTerms: t('Terms of use'),
  brandText: t('Text below the pages'),
  brandLinks: t('Further links'),
  budgets: t('Budgets over time'),
  cancelledAt: t('Cancelled'),
  departmentIds: t('Departments, with those below them'),
  bandIds: t('Bands'),
  conditions: t('Only for bookings with'),
  costCenters: t('Cost centres'),
  countryCodes: t('Countries'),
  workerTypes: t('Kinds of people'),
  userIds: t('People', { context: 'field' }),
  until: t('Until, that day included'),
  defaultUserIds: t('Asked where a step would have nobody'),
  distinct: t('Each signature by another person'),
  limit: t('Limits of the band'),
  excludeReports: t('Nobody below the person approves'),
  maxAmount: t('Amount up to which it approves'),
  minApprovers: t('How many approve'),
  autoApprovalLimit: t('Approved automatically up to'),
  maxBookingLimit: t('Maximum booking'),
  signIn: t('Sign-in'),
  clientId: t('Client ID'),
  subjectClaim: t('Claim of a person'),
  tokenUse: t('Token'),
  emailsVerified: t('Addresses count as verified'),
  discoveryUrl: t('Discovery document'),
  demandedClaims: t('Demanded claims'),
  domainNames: t('Domains'),
  sharedText: t('Shared with'),
  sharedWith: t('Shared with'),
  agreedText: t('Agreed by'),
  roleRequired: t('Role that approves'),
  minAmount: t('Amount from which it approves'),
  scopes: t('Permissions'),
  prefix: t('Key begins with'),
  createdAt: t('Added at'),
  expiresAt: t('Expires'),
  policyId: t('Approval policy'),
  url: t('URL'),
  entities: t('Events'),
  headerNames: t('Own headers'),
  headersChangedAt: t('Own headers changed'),
  disabledReason: t('Reason'),
  secretRotatedAt: t('New secret at'),
  substituteFrom: t('First day away'),
  substituteUntil: t('Last day away'),
  create: t('People to add'),
  update: t('People to change'),
  scope: t('Scopes'),
  groupName: t('Group'),
  roleId: t('Own role'),
  rules: t('What it opens'),
  key: t('Key for programs'),
  connectionId: t('Sign-in connection'),
};

/** Returns the label of a field; of one without, what its name makes, which the catalogues have for all entities. */
export function fieldLabel(field: string): string {
  return FIELD_LABELS[field] ?? translated(wordsOfField(field));
}

/** Returns the name of a field in English words: `Department` for `departmentId`. */
export function wordsOfField(field: string): string {
  return readable(field.replace(/Id$/, ''));
}

/** Returns the label of a field in the first of the reader's languages that it has one in. */
export function ownLabel({ label, labels }: Pick<OwnField, 'label' | 'labels'>): string {
  const byLanguage = new Map(Object.entries(labels ?? {}).map(([tag, text]) => [tag.toLowerCase(), text]));
  const tags = readerLanguages.map((tag) => tag.toLowerCase()).flatMap((tag) => [tag, tag.split('-', 1)[0] ?? '']);
  return byLanguage.get(tags.find((tag) => byLanguage.has(tag)) ?? '') ?? label;
}
