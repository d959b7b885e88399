import { approvalPolicy, approvalPolicyLevel } from './approval-policy.ts';
import { band } from './band.ts';
import { booking } from './booking.ts';
import { company } from './company.ts';
import { department } from './department.ts';
import type { Entity, EntityName } from './entity.ts';
import { companyRole, systemRole } from './held-role.ts';
import { user } from './user.ts';

const BY_NAME: Readonly<Record<EntityName, Entity>> = {
  company,
  department,
  band,
  user,
  companyRole,
  systemRole,
  approvalPolicy,
  approvalPolicyLevel,
  booking,
};

/** All entities in write order: referenced ones come first. */
export const ENTITIES: readonly Entity[] = Object.values(BY_NAME);

export function entityOf(name: EntityName): Entity {
  return BY_NAME[name];
}
