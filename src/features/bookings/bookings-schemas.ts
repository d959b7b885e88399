import { type Static, Type } from 'typebox';
import { LIST_OF } from '../../api/input.ts';
import {
  companyIdParameter,
  fieldsView,
  idParameter,
  includedFields,
  rangeParameters,
  searchParameter,
} from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { BOOKING_STATUSES, booking } from '../../entities/booking.ts';
import { department } from '../../entities/department.ts';
import { answeredFields, givenFields, newRowFields, optional, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';

/** Maximum number of bookings in one request. */
export const MAX_BOOKINGS = 1000;

export const REQUIRED_FIELDS = ['id', 'companyId', 'userId', 'amount'] as const;
/** A stored booking keeps those that a request omits. */
const KEPT_FIELDS = [
  'createdAt',
  'departmentId',
  'costCenter',
  'reference',
  'status',
  'cancelledAt',
  'refundOf',
  'category',
  'travelDate',
] as const;
export const OPTIONAL_FIELDS = [...KEPT_FIELDS, 'fields'] as const;

const given = {
  ...newRowFields(booking, REQUIRED_FIELDS),
  ...Type.Partial(Type.Object(givenFields(booking, OPTIONAL_FIELDS))).properties,
};

const EXAMPLE = {
  id: 'BK-4711',
  companyId: user.fields.companyId.example,
  userId: user.fields.id.example,
  amount: '12500.00',
  createdAt: '2026-01-31T09:30:00.000Z',
};

export const BookingsInput = Type.Object({
  bookings: Type.Array(
    Type.Object({
      ...given,
      id: Type.String({ maxLength: 100, description: 'Id of the booking in its source system', examples: ['BK-4711'] }),
    }),
    { minItems: 1, maxItems: MAX_BOOKINGS, description: 'Recorded atomically', examples: [[EXAMPLE]] },
  ),
});

export const RecordedView = titled('RecordedBookings', {
  added: Type.Integer({ examples: [2] }),
  changed: Type.Integer({ examples: [0] }),
  unchanged: Type.Integer({ description: 'Number already recorded with the same content', examples: [1] }),
});
export type RecordedView = Static<typeof RecordedView>;

/** Fields of a booking in responses. */
export const SHOWN_FIELDS = [...REQUIRED_FIELDS, ...KEPT_FIELDS, 'bandId', 'legalEntityId'] as const;

export const BookingView = titled('Booking', {
  ...answeredFields(booking, SHOWN_FIELDS),
  updatedAt: Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
  ...fieldsView,
  user: Type.Object(answeredFields(user, ['id', 'firstName', 'lastName'])),
  department: Type.Unsafe<{ id: string; name: string } | null>({
    ...Type.Object(answeredFields(department, ['id', 'name'])),
    type: ['object', 'null'],
    description: 'null if it has been deleted, or if the booking was made in none',
  }),
});
export type BookingView = Static<typeof BookingView>;

const sum = (of: string) =>
  Type.String({ format: 'decimal', pattern: '^-?\\d+\\.\\d{2}$', description: `Sum of ${of}`, examples: ['81250.00'] });

export const BookingTotals = Type.Object(
  { booked: sum('those that are not cancelled'), cancelled: sum('those that are cancelled') },
  {
    title: 'BookingTotals',
    description: 'Only with include=totals: the sums of all selected bookings, in the currency of the company',
  },
);
export type BookingTotals = Static<typeof BookingTotals>;

const uuidFilter = (description: string, example: string) => optional.id(description, example);

export const BookingListInput = Type.Object(
  {
    companyId: companyIdParameter,
    userId: uuidFilter('Only bookings of this person', user.fields.id.example),
    departmentId: uuidFilter('Only bookings made in this department', department.fields.id.example),
    status: optional.text({
      title: 'BookingStatus',
      enum: [...BOOKING_STATUSES],
      description: 'Only bookings with this status',
    }),
    ...rangeParameters('bookings'),
    search: searchParameter('id, reference, category or cost centre'),
    sort: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['createdAt', '-createdAt', 'amount', '-amount'],
        description:
          'Sort key, with a leading - for descending order. Omitted: the latest first; with updatedSince the order of changes',
        examples: ['-amount'],
      }),
    ),
    updatedSince: optional.text({
      format: 'date-time',
      description: 'Only bookings recorded or changed at this time or later',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
    include: optional.text({
      [LIST_OF]: { enum: ['fields', 'totals'] },
      description:
        'fields: adds fields of one’s own, also where none are defined; totals: adds the sums of all selected bookings',
    }),
    ...pageParameters(1000),
  },
  { additionalProperties: false },
);
export type BookingListInput = Static<typeof BookingListInput>;

export const BookingChangesInput = Type.Object(
  {
    companyId: companyIdParameter,
    after: Type.String({
      maxLength: 1000,
      description:
        'now: no bookings, and as next the cursor after the last change. Otherwise the next of an earlier answer',
      examples: ['now'],
    }),
    limit: optional.integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of bookings' }),
  },
  { additionalProperties: false },
);
export type BookingChangesInput = Static<typeof BookingChangesInput>;

/** Cursor of the changes of bookings in answers. */
export const NextBookings = Type.String({
  description: 'Cursor to send as after for the next changes',
  examples: ['WyI5ZjhhIiwiNDcxMSIsIiJd'],
});

export const BookingIdInput = Type.Object(
  { id: idParameter(booking), include: includedFields },
  { additionalProperties: false },
);
