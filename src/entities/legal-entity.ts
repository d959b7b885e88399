import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { boolean, choice, countryCode, currency, date, email, gstin, integer, text, timeZone, uuid } from './values.ts';

export const MAX_REGISTRATIONS = 50;

/** A company in law, of which a company of the platform has one or several. */
export const legalEntity = {
  name: 'legalEntity',
  noun: 'legal entity',
  table: 'legal_entities',
  file: 'legal-entities.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [{ fields: ['companyId', 'externalId'], constraint: 'legal_entities_external_id' }],
  rank: 8,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '6c1f5a0e-3b7d-4c2a-9e48-1d5b7a9c2e61' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Acme India' },
    registeredName: { kind: text(200), folded: true, example: 'Acme Industries Private Limited' },
    countryCode: { kind: countryCode, description: 'ISO 3166-1; ZZ: not known', example: 'IN' },
    currency: {
      kind: currency,
      nullable: true,
      description: 'Of its books; null: the one of the company',
      example: 'INR',
    },
    timeZone: { kind: timeZone, nullable: true, description: 'Null: the one of the company', example: 'Asia/Kolkata' },
    externalId: {
      kind: text(255),
      nullable: true,
      description: 'The id that another system has for it, unique in the company',
      example: 'LE-10',
    },
    email: { kind: email, nullable: true, description: 'To which invoices go', example: 'invoices@acme.example' },
    address: { kind: text(500), nullable: true, description: 'To print', example: '14 Lake View Road, Mumbai 400001' },
    active: { kind: boolean, default: true, example: true },
    default: {
      column: 'is_default',
      kind: boolean,
      default: false,
      description: 'Whether it is that of people and departments for whom nothing else is said; each company has one',
      example: false,
    },
  }),
} as const satisfies Entity;

/** A number under which a tax office knows a legal entity. */
export const taxRegistration = {
  name: 'taxRegistration',
  noun: 'tax registration',
  table: 'tax_registrations',
  file: 'tax-registrations.csv',
  id: 'id',
  unique: [],
  title: ['number'],
  auditSubject: {},
  partOf: { field: 'legalEntityId', entity: legalEntity },
  periods: [{ from: 'validFrom', until: 'validUntil' }],
  fields: withColumns({
    id: { kind: uuid, example: '6c1f5a0e-3b7d-4c2a-9e48-1d5b7a9c2e62' },
    legalEntityId: { kind: uuid, references: 'legalEntity', example: legalEntity.fields.id.example },
    type: { kind: choice(['GSTIN', 'VAT', 'TIN', 'EIN', 'OTHER']), example: 'GSTIN' },
    number: { kind: gstin, example: '29AAPFU0939F1ZR' },
    countryCode: { kind: countryCode, example: 'IN' },
    stateId: {
      kind: integer(1),
      nullable: true,
      description: 'Of the geography; of a GSTIN by default the state of its code',
      example: 4026,
    },
    address: {
      kind: text(500),
      nullable: true,
      description: 'To print; null: that of the legal entity',
      example: null,
    },
    validFrom: { kind: date, nullable: true, description: 'First day', example: '2024-04-01' },
    validUntil: { kind: date, nullable: true, description: 'Last day', example: null },
    default: {
      column: 'is_default',
      kind: boolean,
      default: false,
      description: 'Whether it is the one of the legal entity where none fits better',
      example: true,
    },
  }),
} as const satisfies Entity;
