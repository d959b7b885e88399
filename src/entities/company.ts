import { brandColor, brandImage, brandLink, brandLinks, brandName, brandSupport, brandText } from './brand.ts';
import { type Entity, referenceWithinCompany, withColumns } from './entity.ts';
import { customFields } from './formed-values.ts';
import {
  boolean,
  choice,
  countryCode,
  currency,
  date,
  email,
  gstin,
  integer,
  money,
  text,
  timeZone,
  uuid,
} from './values.ts';

export const BUDGET_PERIODS = ['MONTH', 'QUARTER', 'YEAR'] as const;

const byGstin = {
  fields: ['gstin'],
  constraint: 'companies_gstin',
  ignoresCase: true,
} as const;

/** The id that another system has for a row. */
export const externalId = {
  column: 'external_key',
  kind: text(255),
  nullable: true,
  description: 'The id that another system has for it, unique in the company',
  example: null,
} as const;

const own = (what: string) =>
  ({ nullable: true, description: `${what}; null: that of the service`, example: null }) as const;

export const company = {
  name: 'company',
  noun: 'company',
  table: 'companies',
  file: 'companies.csv',
  id: 'id',
  unique: [byGstin, { fields: ['externalId'], constraint: 'companies_external_id' }],
  naturalKey: byGstin,
  hasTimestamps: true,
  rank: 1,
  rights: { keeps: true },
  auditSubject: { company: 'id' },
  fields: withColumns({
    id: { kind: uuid, example: 'b3cb9b86-e923-4834-bb80-42f6e9b215da' },
    name: { kind: text(200), folded: true, example: 'Acme' },
    legalName: { kind: text(200), folded: true, example: 'Acme Industries Private Limited' },
    gstin: { kind: gstin, folded: true, example: '27AAPFU0939F1ZV' },
    email: { kind: email, folded: true, example: 'office@acme.example' },
    creditLimit: { kind: money, default: '0.00', inFiles: 'required', example: '2500000.00' },
    creditDays: { kind: integer(0), default: 0, inFiles: 'required', example: 30 },
    active: { kind: boolean, default: true, example: true },
    defaultDepartmentId: referenceWithinCompany(
      'department',
      'Default department of new people',
      '812cea8f-2ed7-4e7c-a0f7-655fad31b48c',
    ),
    defaultBandId: referenceWithinCompany('band', 'Default band of new people', '2f1027e9-958b-498a-b73a-109e9ecab4e8'),
    currency: {
      kind: currency,
      nullable: true,
      description: 'Currency of its amounts; null in a request: the one of the service',
      example: 'INR',
    },
    country: {
      kind: countryCode,
      nullable: true,
      sqlDefault: 'null',
      description:
        'Country (ISO 3166-1) in whose national forms telephone numbers are read; by default that of its GSTIN; null: the one of the service, if any',
      example: 'IN',
    },
    budgetPeriod: {
      kind: choice(BUDGET_PERIODS, 'BudgetPeriod'),
      default: 'YEAR',
      description: 'The period that the budgets of its departments are for',
      example: 'YEAR',
    },
    fiscalYearStart: {
      kind: integer(1, 12),
      default: 1,
      description: 'The month in which its financial year begins',
      example: 4,
    },
    timeZone: {
      kind: timeZone,
      sqlDefault: "'UTC'",
      description: 'Decides its days and budget periods; of a new company by default that of the service',
      example: 'Asia/Kolkata',
    },
    closedTo: {
      kind: date,
      nullable: true,
      description: 'The first day that is not closed: no booking of an earlier one changes; null: none is closed',
      example: null,
    },
    externalId: { ...externalId, description: 'The id that another system has for it, unique on the platform' },
    brandName: { kind: brandName, ...own('Name of the product for its people') },
    brandLogo: { kind: brandImage, ...own('Logo of the product, also the icon of the tab') },
    brandColor: { kind: brandColor, ...own('Colour of buttons and links') },
    brandSupport: { kind: brandSupport, ...own('Where its people ask for help') },
    brandTerms: { kind: brandLink, ...own('Address of the terms of use') },
    brandText: {
      kind: brandText,
      nullable: true,
      description: 'What its people read below the pages',
      example: null,
    },
    brandLinks: { kind: brandLinks, ...own('Further links below the pages') },
    fields: customFields,
  }),
} as const satisfies Entity;

/** Fields with the name and looks of the product. */
export const BRAND_FIELDS = [
  'brandName',
  'brandLogo',
  'brandColor',
  'brandSupport',
  'brandTerms',
  'brandText',
  'brandLinks',
] as const;
