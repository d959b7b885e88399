import { type Static, Type } from 'typebox';
import { booking } from '../../entities/booking.ts';
import { givenFields, newRowFields } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';

/** Maximum number of bookings in one request. */
export const MAX_BOOKINGS = 1000;

export const REQUIRED_FIELDS = ['id', 'companyId', 'userId', 'amount'] as const;
/** A stored booking keeps those that a request omits. */
export const OPTIONAL_FIELDS = ['createdAt', 'departmentId', 'costCenter', 'reference', 'status'] as const;

const given = {
  ...newRowFields(booking, REQUIRED_FIELDS),
  ...Type.Partial(Type.Object(givenFields(booking, OPTIONAL_FIELDS))).properties,
};

export const BookingsInput = Type.Object({
  bookings: Type.Array(
    Type.Object({
      ...given,
      id: Type.String({ maxLength: 100, description: 'Id of the booking in its source system', examples: ['BK-4711'] }),
    }),
    {
      minItems: 1,
      maxItems: MAX_BOOKINGS,
      description: 'Recorded atomically',
      examples: [
        [
          {
            id: 'BK-4711',
            companyId: user.fields.companyId.example,
            userId: user.fields.id.example,
            amount: '12500.00',
            createdAt: '2026-01-31T09:30:00.000Z',
          },
        ],
      ],
    },
  ),
});

export const RecordedView = Type.Object(
  {
    added: Type.Integer({ examples: [2] }),
    changed: Type.Integer({ examples: [0] }),
    unchanged: Type.Integer({ description: 'Number already recorded with the same content', examples: [1] }),
  },
  { title: 'RecordedBookings' },
);
export type RecordedView = Static<typeof RecordedView>;
