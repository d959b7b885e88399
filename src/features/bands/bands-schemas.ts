import { type Static, Type } from 'typebox';
import {
  companyIdParameter,
  idParameter,
  newIdParameter,
  searchParameter,
  updatedSince,
} from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { band } from '../../entities/band.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, titled } from '../../entities/field-schemas.ts';

export const BandListInput = Type.Object({
  companyId: companyIdParameter(),
  search: searchParameter('name or code'),
  updatedSince,
  ...pageParameters(100),
});

/** Fields of a band in responses. */
export const SHOWN_FIELDS = ['id', 'companyId', 'name', 'code', 'autoApprovalLimit', 'maxBookingLimit'] as const;

export const BandView = titled('Band', {
  ...answeredFields(band, SHOWN_FIELDS),
  _count: Type.Object({
    users: Type.Integer({ description: 'People of the band, including deactivated ones', examples: [12] }),
  }),
});
export type BandView = Static<typeof BandView>;

/** Fields that a request may set besides the id and the company. */
export const BAND_FIELDS = fieldsBut(band, 'id', 'companyId');

const id = idParameter(band);

export const BandIdInput = Type.Object({ id });

export const BandCreateInput = Type.Object({
  id: newIdParameter(),
  ...newRowFields(band, ['companyId', ...BAND_FIELDS]),
});

export const BandUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object(givenFields(band, BAND_FIELDS))).properties,
});
