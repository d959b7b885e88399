import { type Static, Type } from 'typebox';

const uuid = (example: string) => Type.String({ format: 'uuid', examples: [example] });
const amount = (example: string) =>
  Type.String({ description: 'Decimal amount with two fraction digits', examples: [example] });
const moment = () => Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] });
const text = (example: string) => Type.String({ examples: [example] });
const textOrNull = (options: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });

const ownFields = {
  id: uuid('3b1f8c1e-7a2d-4c1b-9f3e-5d6a7b8c9d0e'),
  email: Type.String({ format: 'email', examples: ['employee@acme.example'] }),
  firstName: Type.String({ examples: ['Asha'] }),
  lastName: Type.String({ examples: ['Rao'] }),
  phone: Type.String({ examples: ['+910000012345'] }),
  clientType: Type.String({ enum: ['CORPORATE', 'AGENCY', 'DIRECT'] }),
  companyId: uuid('b3cb9b86-e923-4834-bb80-42f6e9b215da'),
  departmentId: uuid('8a1c2f60-5a0e-4a4f-8f1c-0d6b8a1f2e33'),
  employeeBand: Type.String({ description: "The band's code", examples: ['B2'] }),
  bandId: uuid('c4d5e6f7-0a1b-4c2d-8e3f-4a5b6c7d8e9f'),
  approvalLimit: amount('50000.00'),
  dateOfBirth: Type.String({
    description: 'Midnight UTC',
    format: 'date-time',
    examples: ['1990-05-14T00:00:00.000Z'],
  }),
  gender: Type.String({ examples: ['Female'] }),
  addressLine1: Type.String({ examples: ['14 Lake View Road'] }),
  addressLine2: textOrNull({ examples: ['Flat 3B'] }),
  pincode: Type.String({ examples: ['560001'] }),
  loyaltyPoints: Type.Integer({ examples: [1200] }),
  active: Type.Boolean({ examples: [true] }),
  createdAt: moment(),
  updatedAt: moment(),
};
const company = {
  id: uuid('b3cb9b86-e923-4834-bb80-42f6e9b215da'),
  name: text('Acme'),
  legalName: text('Acme Industries Private Limited'),
};
const department = { id: uuid('8a1c2f60-5a0e-4a4f-8f1c-0d6b8a1f2e33'), name: text('Finance') };
const band = { id: uuid('c4d5e6f7-0a1b-4c2d-8e3f-4a5b6c7d8e9f'), name: text('Senior'), code: text('B2') };
const roles = Type.Array(Type.String(), {
  description: 'The active system role and the company roles, sorted, each once',
  examples: [['MANAGER']],
});

/** The full form (spec.: User), answered by Get self profile. */
export const ProfileView = Type.Object({
  ...ownFields,
  company: Type.Object({ ...company, gstin: text('27AAPFU0939F1ZV'), active: Type.Boolean({ examples: [true] }) }),
  department: Type.Object({ ...department, costCode: text('FIN-100') }),
  band: Type.Object({
    ...band,
    autoApprovalLimit: amount('10000.00'),
    maxBookingLimit: textOrNull({
      description: 'Decimal amount with two fraction digits; null: no limit',
      examples: ['50000.00'],
    }),
  }),
  companyRoles: Type.Array(
    Type.Object({
      id: text('b8d2b4a2-9c43-4b0e-8a6f-1d2e3f4a5b6c'),
      companyId: uuid('b3cb9b86-e923-4834-bb80-42f6e9b215da'),
      role: text('MANAGER'),
    }),
  ),
  systemRoleMap: Type.Unsafe<{ role: string; active: boolean } | null>({
    type: ['object', 'null'],
    description: 'The platform-wide role; null without one',
    properties: { role: { type: 'string' }, active: { type: 'boolean' } },
    required: ['role', 'active'],
    examples: [null],
  }),
  roles,
});
export type ProfileView = Static<typeof ProfileView>;

/** The reduced form (spec.: User), answered by Update self profile. */
export const ReducedProfileView = Type.Object({
  ...ownFields,
  company: Type.Object(company),
  department: Type.Object(department),
  band: Type.Object(band),
  roles,
});
export type ReducedProfileView = Static<typeof ReducedProfileView>;

/** The fields of an update, for the documentation; profile-input.ts checks them. */
export const ProfilePatchSchema = Type.Object({
  firstName: Type.Optional(Type.String({ description: '1 to 100 characters', examples: ['Asha'] })),
  lastName: Type.Optional(Type.String({ description: '1 to 100 characters', examples: ['Rao'] })),
  phone: Type.Optional(
    Type.String({
      description: 'An optional +, then 7 to 15 digits; spaces, hyphens and brackets may stand among them',
      examples: ['+91 00000 12345'],
    }),
  ),
  dateOfBirth: Type.Optional(
    Type.String({
      description: 'YYYY-MM-DD, from 1900-01-01 to today, or the date-time at midnight UTC that this API answers',
      examples: ['1990-05-14'],
    }),
  ),
  gender: Type.Optional(Type.String({ description: '1 to 50 characters', examples: ['Female'] })),
  addressLine1: Type.Optional(
    Type.String({ description: 'Primary street address, 1 to 255 characters', examples: ['14 Lake View Road'] }),
  ),
  addressLine2: Type.Optional(
    textOrNull({
      description:
        'Apartment, suite or building, up to 255 characters; null, empty or left out beside other fields: cleared',
      examples: ['Flat 3B'],
    }),
  ),
  pincode: Type.Optional(
    Type.String({ description: 'Postal code: 3 to 12 letters, digits, spaces or hyphens', examples: ['560001'] }),
  ),
});
