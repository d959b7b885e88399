import { type Static, Type } from 'typebox';
import { companyIdParameter, searchParameter } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { band } from '../../entities/band.ts';
import { answeredFields } from '../../entities/field-schemas.ts';

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
