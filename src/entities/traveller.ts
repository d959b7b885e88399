import { type AuditedEntity, withColumns } from './entity.ts';
import { formedText } from './formed-values.ts';
import { user } from './user.ts';
import { boolean, choice, countryCode, date, email, integer, phone, text, timeZone, uuid } from './values.ts';

/** Digits and letters of a number that answers show. */
export const SHOWN_DIGITS = 4;
export const MAX_DOCUMENTS = 10;
export const MAX_PROGRAMMES = 30;
export const MAX_ARRANGERS = 20;

const optional = { nullable: true, retention: 'personal' } as const;
const userId = { kind: uuid, references: 'user', example: user.fields.id.example } as const;

/** Returns the kind of a code of capital letters, which may be given in small ones. */
const letters = (rule: string, count: number) =>
  formedText(rule, (given) => (new RegExp(`^[A-Za-z]{${count}}$`).test(given) ? given.toUpperCase() : undefined), {
    pattern: `^[A-Za-z]{${count}}$`,
  });

/** A code of IATA for a special service request. */
export const serviceCode = letters('a code of IATA such as VGML', 4);

/** A language by BCP 47, in its canonical form. */
const language = formedText('a language such as en-IN', (given) => {
  try {
    return Intl.getCanonicalLocales(given)[0];
  } catch {
    return undefined;
  }
});

/** The number of a document or of a programme, as a request gives it. */
export const documentNumber = text(50);

/** What a person needs to travel, one row a person. */
export const traveller = {
  name: 'traveller',
  noun: 'traveller',
  table: 'travellers',
  id: 'id',
  unique: [{ fields: ['userId'], constraint: 'travellers_user' }],
  staysInside: true,
  hasTimestamps: true,
  auditSubject: { user: 'userId' },
  partOf: { field: 'userId', entity: user },
  fields: withColumns({
    id: { kind: uuid, sqlDefault: 'gen_random_uuid()', example: '5b0c8f0e-6f0d-4a53-9f5e-2d8c4c7a1b01' },
    userId,
    legalGiven: { kind: text(100), ...optional, example: 'ASHA' },
    legalMiddle: { kind: text(100), ...optional, example: null },
    legalFamily: { kind: text(100), ...optional, example: 'RAO' },
    legalSuffix: { kind: text(20), ...optional, example: null },
    title: { kind: text(20), ...optional, example: 'Ms' },
    documentGender: {
      kind: choice(['F', 'M', 'X']),
      ...optional,
      description: 'As in the passport',
      example: 'F',
    },
    nationality: { kind: countryCode, ...optional, example: 'IN' },
    homeCityId: { kind: integer(1), ...optional, description: 'A city of the geography', example: 133024 },
    homeCity: { kind: text(200), ...optional, example: 'Mumbai' },
    homeStateId: { kind: integer(1), ...optional, description: 'A state of the geography', example: 4008 },
    homeCountryCode: { kind: countryCode, ...optional, example: 'IN' },
    homeAirport: { kind: letters('a code of IATA such as BOM', 3), ...optional, example: 'BOM' },
    language: { kind: language, ...optional, description: 'By BCP 47', example: 'en-IN' },
    timeZone: { kind: timeZone, ...optional, example: 'Asia/Kolkata' },
    seat: { kind: text(50), ...optional, example: 'Aisle' },
    meal: { kind: serviceCode, ...optional, description: 'A code of IATA', example: 'VGML' },
    room: { kind: text(50), ...optional, example: 'Quiet' },
    accessibility: { kind: text(100), ...optional, description: 'Codes of IATA', example: 'WCHR' },
    notes: { kind: text(255), ...optional, example: 'No early flights' },
    emergencyName: { kind: text(200), ...optional, example: 'Ravi Rao' },
    emergencyRelation: { kind: text(50), ...optional, example: 'Brother' },
    emergencyPhone: { kind: phone, ...optional, example: '+919876543210' },
    emergencyEmail: { kind: email, ...optional, example: null },
  }),
} as const satisfies AuditedEntity;

/** The objects of a traveller on the wire, each with its names and their fields. */
export const TRAVELLER_GROUPS = {
  legalName: { given: 'legalGiven', middle: 'legalMiddle', family: 'legalFamily', suffix: 'legalSuffix' },
  home: { cityId: 'homeCityId', city: 'homeCity', stateId: 'homeStateId', countryCode: 'homeCountryCode' },
  preferences: { seat: 'seat', meal: 'meal', room: 'room', accessibility: 'accessibility', notes: 'notes' },
  emergencyContact: {
    name: 'emergencyName',
    relation: 'emergencyRelation',
    phone: 'emergencyPhone',
    email: 'emergencyEmail',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof typeof traveller.fields>>>>;

/** Names that an object needs once it is there. */
export const NEEDED_IN_GROUPS: Readonly<Record<string, readonly string[]>> = {
  legalName: ['given', 'family'],
  emergencyContact: ['name', 'relation', 'phone'],
};

/** The fields of a traveller that are in no object. */
export const PLAIN_FIELDS = ['title', 'documentGender', 'nationality', 'homeAirport', 'language', 'timeZone'] as const;

const number = { kind: text(500), retention: 'none', description: 'Encrypted', example: '' } as const;
const lastFour = {
  kind: text(SHOWN_DIGITS),
  retention: 'personal',
  description: 'The last characters of the number',
  example: '4567',
} as const;
const expiresOn = { kind: date, ...optional, description: 'Its last day', example: '2031-03-31' } as const;

/** A passport, a visa or the like. */
export const travellerDocument = {
  name: 'travellerDocument',
  noun: 'travel document',
  table: 'traveller_documents',
  id: 'id',
  unique: [],
  title: ['type'],
  staysInside: true,
  auditSubject: { user: 'userId' },
  partOf: { field: 'userId', entity: user },
  fields: withColumns({
    id: { kind: uuid, example: '5b0c8f0e-6f0d-4a53-9f5e-2d8c4c7a1b02' },
    userId,
    type: {
      kind: choice(['PASSPORT', 'NATIONAL_ID', 'RESIDENCE', 'VISA', 'KNOWN_TRAVELLER', 'REDRESS']),
      example: 'PASSPORT',
    },
    number,
    lastFour,
    issuingCountry: { kind: countryCode, retention: 'personal', example: 'IN' },
    nationality: { kind: countryCode, ...optional, example: 'IN' },
    issuedOn: { kind: date, ...optional, example: '2021-04-01' },
    expiresOn,
    primary: { column: 'is_primary', kind: boolean, default: false, example: true },
  }),
} as const satisfies AuditedEntity;

/** A membership of a loyalty programme. */
export const travellerProgramme = {
  name: 'travellerProgramme',
  noun: 'loyalty programme',
  table: 'traveller_programmes',
  id: 'id',
  unique: [],
  title: ['supplier'],
  staysInside: true,
  auditSubject: { user: 'userId' },
  partOf: { field: 'userId', entity: user },
  fields: withColumns({
    id: { kind: uuid, example: '5b0c8f0e-6f0d-4a53-9f5e-2d8c4c7a1b03' },
    userId,
    kind: { kind: choice(['AIR', 'HOTEL', 'CAR', 'RAIL']), example: 'AIR' },
    supplier: { kind: text(100), retention: 'personal', example: 'AI' },
    number,
    lastFour,
    tier: { kind: text(50), ...optional, example: 'Gold' },
    expiresOn,
  }),
} as const satisfies AuditedEntity;

/** Somebody who books for a person. */
export const travellerArranger = {
  name: 'travellerArranger',
  noun: 'arranger',
  table: 'traveller_arrangers',
  id: 'id',
  unique: [{ fields: ['userId', 'arrangerId'], constraint: 'traveller_arrangers_both' }],
  staysInside: true,
  auditSubject: { user: 'userId' },
  partOf: { field: 'userId', entity: user },
  fields: withColumns({
    id: { kind: uuid, example: '5b0c8f0e-6f0d-4a53-9f5e-2d8c4c7a1b04' },
    userId,
    arrangerId: { kind: uuid, references: 'user', example: user.fields.id.example },
    until: { kind: date, nullable: true, description: 'The last day; null: no end', example: null },
    may: {
      kind: choice(['BOOK', 'BOOK_AND_READ_DOCUMENTS']),
      default: 'BOOK',
      description: 'Whether they may also read whole numbers',
      example: 'BOOK',
    },
  }),
} as const satisfies AuditedEntity;
