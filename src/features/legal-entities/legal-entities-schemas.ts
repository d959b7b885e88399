import { type Static, Type } from 'typebox';
import { includedTimes, timeFields } from '../../api/list-schemas.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, newRowFields, optional, titled } from '../../entities/field-schemas.ts';
import { legalEntity, MAX_REGISTRATIONS, taxRegistration } from '../../entities/legal-entity.ts';
import { user } from '../../entities/user.ts';

/** Fields that a request may set besides the id and the company. */
export const ENTITY_FIELDS = fieldsBut(legalEntity, 'id', 'companyId');
export const SHOWN_FIELDS = ['id', 'companyId', ...ENTITY_FIELDS] as const;
const { id, ...GIVEN } = newRowFields(taxRegistration, fieldsBut(taxRegistration, 'legalEntityId'));

const shown = {
  ...answeredFields(legalEntity, SHOWN_FIELDS),
  taxRegistrations: Type.Array(
    titled('TaxRegistration', answeredFields(taxRegistration, fieldsBut(taxRegistration, 'legalEntityId'))),
    { description: 'The default one first, then by number' },
  ),
};
export const ListedLegalEntity = titled('LegalEntity', { ...shown, ...includedTimes });
export type ListedLegalEntity = Static<typeof ListedLegalEntity>;
export const LegalEntityView = titled('LegalEntityDetail', { ...shown, ...timeFields });
export type LegalEntityView = Static<typeof LegalEntityView>;

/** The registrations in a request. */
export const GivenRegistrations = Type.Optional(
  Type.Array(titled('GivenTaxRegistration', { id: Type.Optional(id ?? Type.String()), ...GIVEN }), {
    maxItems: MAX_REGISTRATIONS,
    description: 'All of them: those that are left out are removed. Without a default one it is the first',
    examples: [[{ type: 'GSTIN', number: '27AAPFU0939F1ZV', countryCode: 'IN' }]],
  }),
);

export const BillToInput = Type.Object({
  userId: Type.String({ format: 'uuid', description: 'The person who travels', examples: [user.fields.id.example] }),
  stateId: optional.integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The state of the supplier, of the geography',
    examples: [4008],
  }),
  countryCode: optional.text({
    format: 'country-code',
    description: 'The country of the supplier, where no stateId is given',
    examples: ['IN'],
  }),
});

const registered = answeredFields(taxRegistration, ['type', 'number', 'countryCode', 'stateId']);
const orNull = <Schema extends object>(schema: Schema) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });

export const BillToView = titled('BillTo', {
  legalEntityId: answeredFields(legalEntity, ['id']).id,
  name: answeredFields(legalEntity, ['registeredName']).registeredName,
  address: answeredFields(legalEntity, ['address']).address,
  number: orNull({ description: 'Null: the legal entity has no registration', examples: ['27AAPFU0939F1ZV'] }),
  type: orNull({ description: 'Of the number', examples: ['GSTIN'] }),
  countryCode: registered.countryCode,
  stateId: registered.stateId,
});
export type BillToView = Static<typeof BillToView>;
