import { type Static, Type } from 'typebox';
import { band } from '../../domain/band.ts';
import { answeredFields } from '../../domain/field-schemas.ts';
import { companyIdParameter, searchParameter } from '../../http/list-schemas.ts';
import { pageParameters } from '../../http/pagination.ts';

export const BandListInput = Type.Object({
  companyId: companyIdParameter(),
  search: searchParameter('name or code'),
  ...pageParameters(100),
});

/** What is shown of a band itself. */
export const SHOWN_FIELDS = ['id', 'companyId', 'name', 'code', 'autoApprovalLimit', 'maxBookingLimit'] as const;

export const BandView = Type.Object(
  {
    ...answeredFields(band, SHOWN_FIELDS),
    _count: Type.Object({
      users: Type.Integer({ description: 'People of the band, deactivated ones too', examples: [12] }),
    }),
  },
  { title: 'Band' },
);
export type BandView = Static<typeof BandView>;
