import { apiKey } from './api-key.ts';
import { approvalPolicy, approvalPolicyLevel } from './approval-policy.ts';
import { band } from './band.ts';
import { booking, payment } from './booking.ts';
import { company } from './company.ts';
import { costCenter } from './cost-center.ts';
import { department } from './department.ts';
import { directory } from './directory.ts';
import type { AuditedEntity, Entity } from './entity.ts';
import { fieldDefinition } from './field-definition.ts';
import { group } from './group.ts';
import { groupMapping } from './group-mapping.ts';
import { companyRole, role, roleGrant, systemRole } from './held-role.ts';
import { legalEntity, taxRegistration } from './legal-entity.ts';
import { mail } from './mail.ts';
import { signInConnection } from './sign-in-connection.ts';
import { substitution } from './substitution.ts';
import { traveller, travellerArranger, travellerDocument, travellerProgramme } from './traveller.ts';
import { user } from './user.ts';
import { userMove } from './user-move.ts';
import { webhook } from './webhook.ts';

const DESCRIBED = [
  company,
  department,
  band,
  user,
  companyRole,
  systemRole,
  group,
  role,
  roleGrant,
  approvalPolicy,
  approvalPolicyLevel,
  costCenter,
  legalEntity,
  taxRegistration,
  substitution,
  fieldDefinition,
  booking,
  payment,
  apiKey,
  webhook,
  groupMapping,
  signInConnection,
  traveller,
  travellerDocument,
  travellerProgramme,
  travellerArranger,
  userMove,
  directory,
  mail,
] as const;

export type EntityName = (typeof DESCRIBED)[number]['name'];
type AuditedName = Extract<(typeof DESCRIBED)[number], { auditSubject: object }>['name'];

/** Every entity, in the order of this list. */
export const ALL_ENTITIES: readonly AuditedEntity[] = DESCRIBED;

/** Tables with the values of lists, one a row, which triggers keep. */
export const LIST_TABLES: readonly string[] = ALL_ENTITIES.flatMap(({ fields }) =>
  Object.values(fields).flatMap(({ rows }) => (rows === undefined ? [] : [rows.table])),
);

/** Names of the entities in the audit trail. */
export const AUDITED_ENTITIES = ALL_ENTITIES.flatMap(({ name, auditSubject }) =>
  auditSubject === undefined ? [] : [name as AuditedName],
);

/** The entities that can be imported and exported, in write order: referenced ones come first where no circle forbids it. */
export const ENTITIES: readonly Entity[] = inWriteOrder(ALL_ENTITIES.filter((entity) => 'file' in entity) as Entity[]);

/** Returns the entity of that name. @throws TypeError if there is none */
export function entityOf(name: string): Entity {
  const found = ENTITIES.find((entity) => entity.name === name);
  if (found === undefined) throw new TypeError(`There is no entity ${name}`);
  return found;
}

/** Returns entities after those to which their rows must refer, and, where these do not need them, after those to which they may refer. */
function inWriteOrder(entities: readonly Entity[]): Entity[] {
  const targetsOf = ({ fields }: Entity, isRequired: boolean) =>
    Object.values(fields).flatMap(({ references, nullable }) =>
      entities.filter(({ name }) => name === references && !(isRequired && nullable)),
    );
  const needed = (entity: Entity, found = new Set<Entity>()): Set<Entity> => {
    for (const target of targetsOf(entity, false).filter((each) => !found.has(each))) needed(target, found.add(target));
    return found;
  };
  const ordered = new Set<Entity>();
  const add = (entity: Entity): void => {
    if (ordered.has(entity)) return;
    const others = targetsOf(entity, false).filter((target) => !needed(target).has(entity));
    for (const target of [...targetsOf(entity, true), ...others]) if (target !== entity) add(target);
    ordered.add(entity);
  };
  for (const entity of entities) add(entity);
  return [...ordered];
}
