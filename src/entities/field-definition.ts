import { isObject } from './check-fields.ts';
import { company } from './company.ts';
import { type Entity, referenceTo, withColumns } from './entity.ts';
import { FIELD_KEY, FIELD_LEVELS, formedText, isFieldValue, jsonKind, MAX_CHOICES } from './formed-values.ts';
import { compilePattern } from './safe-pattern.ts';
import { boolean, choice, integer, text, uuid } from './values.ts';

/** The entities whose rows may have fields of one's own. */
export const EXTENDED_ENTITIES = ['user', 'company', 'department', 'band', 'approvalPolicy', 'booking'] as const;
export type ExtendedEntity = (typeof EXTENDED_ENTITIES)[number];

export const FIELD_TYPES = [
  ...['TEXT', 'INTEGER', 'DECIMAL', 'DATE', 'BOOLEAN', 'CHOICE', 'CHOICES', 'PERSON', 'URL'],
] as const;

/** Definitions of a company and an entity, with those of the platform. */
export const MAX_DEFINITIONS = 50;
const MAX_LABELS = 50;
const LABEL = text(100);

const key = formedText(
  '1 to 40 letters (A to Z) and digits that begin with a small letter, such as shoeSize',
  (given) => (FIELD_KEY.test(given) ? given : undefined),
  { pattern: FIELD_KEY.source },
);

const labels = jsonKind(
  `an object of up to ${MAX_LABELS} labels by language, such as {"de": "Schuhgröße"}`,
  { type: 'object', additionalProperties: { type: 'string', maxLength: 100 } },
  (given) => {
    const entries = isObject(given) ? Object.entries(given) : [];
    const read = entries.map(([language, label]) => [language, LABEL.check(label)] as const);
    const isRight =
      isObject(given) &&
      entries.length <= MAX_LABELS &&
      read.every(([language, label]) => /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(language) && 'value' in label);
    return isRight
      ? Object.fromEntries(read.map(([language, label]) => [language, 'value' in label ? label.value : '']))
      : undefined;
  },
);

const choices = jsonKind(
  `a list of 1 to ${MAX_CHOICES} different texts of up to 100 characters`,
  { type: 'array', items: { type: 'string', maxLength: 100 }, minItems: 1, maxItems: MAX_CHOICES, uniqueItems: true },
  (given) => {
    if (!Array.isArray(given) || given.length === 0 || given.length > MAX_CHOICES) return undefined;
    const read = given.flatMap((each) => {
      const label = LABEL.check(each);
      return 'value' in label ? [label.value] : [];
    });
    return read.length === given.length && new Set(read).size === read.length ? read : undefined;
  },
);

const initial = jsonKind(
  'a value of its type',
  { type: ['string', 'number', 'boolean', 'array'], items: { type: 'string' } },
  (given) => (isFieldValue(given) ? given : undefined),
);

const pattern = formedText(
  'a pattern of up to 200 characters: characters, classes, groups, | and counts up to 100, and no count of counts',
  (given) => (compilePattern(given) ? given : undefined),
  { maxLength: 200 },
);

const byKey = { fields: ['companyId', 'entity', 'key'], constraint: 'field_definitions_key' } as const;
const level = choice(FIELD_LEVELS, 'FieldLevel');

/** A field that rows of an entity have beside those of the service. */
export const fieldDefinition = {
  name: 'field',
  noun: 'field',
  table: 'field_definitions',
  file: 'fields.csv',
  id: 'id',
  unique: [byKey],
  title: ['label'],
  fixed: ['entity', 'key', 'type'],
  rank: 8,
  ofPlatform: true,
  hasTimestamps: true,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '4a3f7f0e-5d0b-4f0e-8a55-6b3d6a1c9e01' },
    companyId: referenceTo(
      'company',
      'The company whose rows have the field; null: those of all',
      company.fields.id.example,
    ),
    entity: { kind: choice(EXTENDED_ENTITIES, 'ExtendedEntity'), description: 'Whose rows have it', example: 'user' },
    key: { kind: key, description: 'Its name in fields, which never changes', example: 'shoeSize' },
    label: { kind: LABEL, example: 'Shoe size' },
    labels: { kind: labels, nullable: true, description: 'Labels in other languages, by BCP 47', example: null },
    type: { kind: choice(FIELD_TYPES, 'FieldType'), example: 'INTEGER' },
    choices: { kind: choices, nullable: true, description: 'Of CHOICE and CHOICES alone', example: null },
    required: {
      kind: boolean,
      default: false,
      description: 'Whether a new row needs a value, and one whose fields are written',
      example: false,
    },
    default: {
      kind: initial,
      column: 'default_value',
      nullable: true,
      description: 'Value of a new row that has none',
      example: null,
    },
    pattern: {
      kind: pattern,
      nullable: true,
      description: 'Of TEXT alone: the pattern of the whole value',
      example: null,
    },
    readableBy: { kind: level, default: 'MANAGER', description: 'Who reads it at least', example: 'MANAGER' },
    writableBy: { kind: level, default: 'ADMIN', description: 'Who writes it at least', example: 'ADMIN' },
    sensitive: {
      kind: boolean,
      default: false,
      description: 'Whether its values stay out of the audit trail, the feed and webhooks',
      example: false,
    },
    inList: { kind: boolean, default: false, description: 'Whether tables of the console show it', example: false },
    position: { kind: integer(0), default: 0, description: 'Its place among the fields of the entity', example: 1 },
    active: { kind: boolean, default: true, example: true },
  }),
} as const satisfies Entity;
