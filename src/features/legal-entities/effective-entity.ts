import sql, { raw, type Sql } from 'sql-template-tag';
import { Type } from 'typebox';
import { answeredFields, nullable } from '../../entities/field-schemas.ts';
import { legalEntity } from '../../entities/legal-entity.ts';

/** The legal entity that counts for a department or a person. */
export interface EffectiveEntity {
  id: string;
  name: string;
  inherited: boolean;
}

export const EffectiveEntityView = nullable<EffectiveEntity>(
  Type.Object(
    {
      ...answeredFields(legalEntity, ['id', 'name']),
      inherited: Type.Boolean({ description: 'Whether it comes from above', examples: [true] }),
    },
    { description: 'That of legalEntityId' },
  ),
);

/** The person whose department counts for one of `users`: of a guest the host. */
export const PAYER: Sql = raw(
  "case when users.worker_type = 'GUEST' then coalesce(users.host_id, users.manager_id, users.id) else users.id end",
);

/** The id of the legal entity that counts for one of `users`. */
export const ENTITY_OF_PERSON: Sql = sql`(
  select legal_entity_of(coalesce(users.legal_entity_id, payer.legal_entity_id), payer.department_id, users.company_id)
    from users payer where payer.id = ${PAYER})`;

/** Returns the column with the legal entity that counts. @param id in SQL */
export function effectiveEntity(row: 'users' | 'departments', id: Sql): Sql {
  return sql`(
    select json_build_object('id', legal.id, 'name', legal.name, 'inherited', ${raw(row)}.legal_entity_id is null)
      from legal_entities legal where legal.id = ${id}) as "legalEntity"`;
}
