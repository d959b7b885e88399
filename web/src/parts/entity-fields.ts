import type { Entity, Field } from '../../../src/entities/entity.ts';
import { email, money, phone } from '../../../src/entities/values.ts';
import type { FormField } from './form-fields.ts';

/**
 * Returns form fields of an entity, whose rules, kinds and requiredness follow from its description.
 *
 * @param labels of the fields that the form has, in its order
 */
export function entityFields(
  { fields }: Pick<Entity, 'fields'>,
  labels: Readonly<Record<string, string>>,
): readonly FormField[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const field = fields[name];
    return field === undefined ? [] : [{ name, label, ...formOf(field) }];
  });
}

function formOf({ kind, nullable, default: preset }: Field): Omit<FormField, 'name' | 'label'> {
  const isNullable = nullable === true;
  const common = { isRequired: preset === undefined && !isNullable, isNullable };
  // Amounts are typed as people write them, which their rule does not take.
  if (kind === money) return { ...common, kind: 'money' };
  const typed = kind === email ? 'email' : kind === phone ? 'tel' : kind.schema.type === 'integer' ? 'whole' : 'text';
  return { ...common, kind: typed, rule: kind };
}
