import { type Static, Type } from 'typebox';
import { searchParameter } from '../../http/list-schemas.ts';
import { pageParameters } from '../../http/pagination.ts';

export const CompanyListInput = Type.Object({
  search: searchParameter('name, legal name, GSTIN or e-mail address'),
  activeOnly: Type.Optional(Type.Boolean({ description: 'true: only active companies' })),
  ...pageParameters(100),
});
export type CompanyListInput = Static<typeof CompanyListInput>;

export const CompanyView = Type.Object({
  id: Type.String({ format: 'uuid', examples: ['b3cb9b86-e923-4834-bb80-42f6e9b215da'] }),
  name: Type.String({ examples: ['Acme'] }),
  legalName: Type.String({ examples: ['Acme Industries Private Limited'] }),
  gstin: Type.String({ description: 'Tax registration number', examples: ['27AAPFU0939F1ZV'] }),
  creditLimit: Type.String({ description: 'Decimal amount with two fraction digits', examples: ['2500000.00'] }),
  creditDays: Type.Integer({ examples: [30] }),
  active: Type.Boolean({ examples: [true] }),
  _count: Type.Object({
    users: Type.Integer({ description: 'People of the company, deactivated ones too', examples: [60] }),
    bookings: Type.Integer({ examples: [812] }),
  }),
});
export type CompanyView = Static<typeof CompanyView>;
