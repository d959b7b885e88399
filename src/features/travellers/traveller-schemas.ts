import { type Static, type TProperties, Type } from 'typebox';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, nullable, optional, titled } from '../../entities/field-schemas.ts';
import {
  documentNumber,
  MAX_ARRANGERS,
  MAX_DOCUMENTS,
  MAX_PROGRAMMES,
  PLAIN_FIELDS,
  serviceCode,
  TRAVELLER_GROUPS,
  traveller,
  travellerArranger,
  travellerDocument,
  travellerProgramme,
} from '../../entities/traveller.ts';
import { user } from '../../entities/user.ts';

/** What answers and requests have of a document and of a programme, besides the id and the number. */
export const DOCUMENT_FIELDS = fieldsBut(travellerDocument, 'id', 'userId', 'number', 'lastFour');
export const PROGRAMME_FIELDS = fieldsBut(travellerProgramme, 'id', 'userId', 'number', 'lastFour');
export const ARRANGER_FIELDS = ['until', 'may'] as const;
export const MAX_CODES = 10;

const FIELDS = fieldsBut(traveller, 'id', 'userId');
const codes = Type.Array(Type.String({ pattern: '^[A-Za-z]{4}$', examples: ['WCHR'] }), {
  maxItems: MAX_CODES,
  description: serviceCode.rule,
});

/** Returns the schemas of the objects of a traveller, each of which may be null. */
function groupsOf(fields: TProperties, wrap: (properties: TProperties) => TProperties): TProperties {
  const all: TProperties = { ...fields, accessibility: codes };
  const groups = Object.entries(TRAVELLER_GROUPS).map(([group, names]) => {
    const properties = Object.entries(names).map(([name, field]) => [name, all[field]]);
    return [group, nullable(Type.Object(wrap(Object.fromEntries(properties) as TProperties)))];
  });
  return Object.fromEntries(groups) as TProperties;
}

const WHOLE_NUMBER = 'The whole number, with reveal=true; otherwise null';
const answeredNumber = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: WHOLE_NUMBER,
  examples: [null],
});
const person = answeredFields(user, ['firstName', 'lastName']);
const userId = Type.String({ format: 'uuid', examples: [user.fields.id.example] });

export const TravellerView = titled('Traveller', {
  id: Type.String({ format: 'uuid', description: 'Id of the person', examples: [user.fields.id.example] }),
  ...groupsOf(answeredFields(traveller, FIELDS), (properties) => properties),
  ...answeredFields(traveller, PLAIN_FIELDS),
  documents: Type.Array(
    titled('TravelDocument', {
      ...answeredFields(travellerDocument, ['id', 'lastFour', ...DOCUMENT_FIELDS]),
      number: answeredNumber,
    }),
  ),
  programmes: Type.Array(
    titled('LoyaltyProgramme', {
      ...answeredFields(travellerProgramme, ['id', 'lastFour', ...PROGRAMME_FIELDS]),
      number: answeredNumber,
    }),
  ),
  arrangers: Type.Array(
    titled('Arranger', { userId, ...person, ...answeredFields(travellerArranger, ARRANGER_FIELDS) }),
  ),
  warnings: Type.Array(
    Type.Object({
      code: Type.String({ title: 'TravellerWarning', enum: ['DOCUMENT_ENDS_SOON', 'LEGAL_NAME_DIFFERS'] }),
      field: Type.String({ examples: ['documents[0].expiresOn'] }),
      message: Type.String({ description: 'For people', examples: ['The document PASSPORT ends on 2026-12-31.'] }),
    }),
    { description: 'What may keep the person from travelling' },
  ),
});
export type TravellerView = Static<typeof TravellerView>;

export const TravellerGetInput = Type.Object({
  id: optional.id('The person; absent: the caller', user.fields.id.example),
  reveal: optional.boolean('true: with the whole numbers, which the audit trail notes'),
});

const given = givenFields(traveller, FIELDS);
const itemNumber = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 50,
    description: `${documentNumber.rule}; absent or null: it stays`,
  }),
);
const itemId = optional.id('Of one that is there; absent: a new one', travellerDocument.fields.id.example);
/** What an answer has beside what can be given. */
const ignored = Type.Optional(Type.Unknown({ description: 'Ignored' }));

export const TravellerInput = Type.Object({
  id: optional.id('The person; absent: the caller', user.fields.id.example),
  ...Type.Partial(
    Type.Object({
      ...groupsOf(given, (properties) => Type.Partial(Type.Object(properties)).properties),
      ...givenFields(traveller, PLAIN_FIELDS),
      documents: Type.Array(
        Type.Object({
          id: itemId,
          ...newRowFields(travellerDocument, DOCUMENT_FIELDS),
          number: itemNumber,
          lastFour: ignored,
        }),
        { maxItems: MAX_DOCUMENTS, description: 'All of them: those that are left out are removed' },
      ),
      programmes: Type.Array(
        Type.Object({
          id: itemId,
          ...newRowFields(travellerProgramme, PROGRAMME_FIELDS),
          number: itemNumber,
          lastFour: ignored,
        }),
        { maxItems: MAX_PROGRAMMES, description: 'All of them' },
      ),
      arrangers: Type.Array(
        Type.Object({
          userId,
          ...newRowFields(travellerArranger, [...ARRANGER_FIELDS]),
          firstName: ignored,
          lastName: ignored,
        }),
        { maxItems: MAX_ARRANGERS, description: 'All of them, people of the same company' },
      ),
    }),
  ).properties,
});

/** Everything that the service keeps about the caller. */
export const OwnDataView = titled('OwnData', {
  profile: Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: 'As users/get returns it' }),
  traveller: TravellerView,
  bookings: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
    description: 'As bookings/list returns them',
  }),
  arranges: Type.Array(Type.Object({ userId, ...person }), { description: 'For whom they arrange trips' }),
});
