import { type Static, Type } from 'typebox';
import { readValues } from '../../api/body.ts';
import { includedTimes, timeFields } from '../../api/list-schemas.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, nullable, optional, titled } from '../../entities/field-schemas.ts';
import { role, roleGrant } from '../../entities/held-role.ts';
import { ACCESS_RULES } from '../../entities/roles.ts';
import { uuid } from '../../entities/values.ts';

const rules = Type.Array(Type.String({ title: 'AccessRule', enum: [...ACCESS_RULES] }), {
  description: role.fields.rules.description,
  examples: [['staff', 'people']],
});

const shown = {
  ...answeredFields(role, fieldsBut(role, 'rules')),
  rules,
  fixed: Type.Boolean({ description: 'Whether it is one of the five that nobody changes', examples: [false] }),
};

export const ListedRole = titled('OwnRole', { ...shown, ...includedTimes });
export type ListedRole = Static<typeof ListedRole>;

/** A role of a company's own in answers. */
export const RoleView = titled('OwnRoleDetail', {
  ...shown,
  ...timeFields,
  _count: Type.Object({
    users: nullable<number>(
      Type.Integer({
        description: 'People who hold it, that the caller administers; null for a fixed one',
        examples: [3],
      }),
    ),
  }),
});
export type RoleView = Static<typeof RoleView>;

const HeldRole = titled('HeldRole', {
  ...answeredFields(role, ['id', 'key', 'name']),
  ...answeredFields(roleGrant, ['companyId']),
  rules,
});
export type HeldRole = Static<typeof HeldRole>;

/** The roles that the caller holds. */
export const OwnRolesView = titled('OwnRoles', { roles: Type.Array(HeldRole) });

export const RoleFilter = {
  companyId: optional.id(
    'The company, whose roles are listed with those of the platform; absent: these alone',
    roleGrant.fields.companyId.example,
  ),
  fixed: optional.boolean('true: also the five fixed roles'),
  userId: optional.id('Only the roles that this person holds', roleGrant.fields.userId.example),
};

const { example } = roleGrant.fields.roleId;
export const GrantInput = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of the role', examples: [example] }),
  userId: Type.String({
    format: 'uuid',
    description: 'A person of its company',
    examples: [roleGrant.fields.userId.example],
  }),
});

/** Reads the body of a grant or revocation. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export const readGrant = (raw: unknown) => readValues(raw, { id: uuid, userId: uuid });
