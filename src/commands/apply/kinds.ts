import type { TObject, TSchema } from 'typebox';
import type { Operation } from '../../api/operation.ts';
import { pluralOf } from '../../api/uses.ts';
import { OPERATIONS, type Services } from '../../app/all-operations.ts';
import type { FieldProblem } from '../../entities/api-error.ts';
import { ALL_ENTITIES } from '../../entities/entities.ts';
import type { AuditedEntity, Key } from '../../entities/entity.ts';

/** JSON as a file or an answer has it. */
export type Row = Readonly<Record<string, unknown>>;
type Taking = Operation<Services> & { input: TObject };

/** A kind of things that a file of configuration has: what a company has, and operations list, create, change and delete. */
export interface Kind {
  /** As in the contract, such as `approvalPolicies`. */
  name: string;
  /** The last word of it, by which a file may name it too. */
  short: string;
  entity: AuditedEntity;
  list: Taking;
  get: Taking;
  create: Taking;
  update: Taking;
  remove: Taking;
  /** What tells one thing from another; of several the first of which it has every value. */
  keys: readonly Key[];
  /** Names of entities to whose rows fields refer, by the names of the fields in bodies. */
  references: ReadonlyMap<string, string>;
}

/** References that no entity describes, or that bodies name in another way. */
const FURTHER = [
  ['groupId', 'group'],
  ['sharedWith', 'company'],
] as const;

/** What is no kind, by entity: the list that is searched for it, and what names it. */
export const OTHERS: Readonly<Record<string, { path: string; by: readonly string[]; noun: string }>> = {
  user: { path: '/api/users/list', by: ['email'], noun: 'person' },
  company: { path: '/api/companies/list', by: ['gstin', 'name', 'legalName'], noun: 'company' },
  group: { path: '/api/directories/groups', by: ['name'], noun: 'group' },
};

export const KINDS: readonly Kind[] = ALL_ENTITIES.flatMap(kindOf);

function kindOf(entity: AuditedEntity): Kind[] {
  const tag = pluralOf(entity.noun).toLowerCase();
  const find = (verb: string) =>
    OPERATIONS.find((each): each is Taking => {
      return each.tag.toLowerCase() === tag && each.id.endsWith(`.${verb}`) && each.input !== undefined;
    });
  const [list, get, create, update, remove] = ['list', 'get', 'create', 'update', 'delete'].map(find);
  if (!list || !get || !create || !update || !remove || !('companyId' in create.input.properties)) return [];
  const [name = ''] = create.id.split('.');
  const short = /[A-Z]?[a-z]+$/.exec(name)?.[0].toLowerCase() ?? name;
  const own = ALL_ENTITIES.filter((each) => each === entity || each.partOf?.entity === entity);
  const described = own.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([field, { references, lists }]) => {
      const target = references ?? lists;
      return target === undefined || field === 'companyId' ? [] : [[field, target] as const];
    }),
  );
  const operations = { list, get, create, update, remove };
  return [
    {
      name,
      short,
      entity,
      ...operations,
      keys: keysOf(entity),
      references: new Map<string, string>([...FURTHER, ...described]),
    },
  ];
}

function keysOf({ unique, knownBy, title, fields }: AuditedEntity): Key[] {
  if (knownBy !== undefined) return [{ fields: knownBy, ignoresCase: true }];
  const keys = unique.map((key) => ({ ...key, fields: key.fields.filter((name) => name !== 'companyId') }));
  if (keys.some((key) => key.fields.every((name) => !fields[name]?.nullable))) return keys;
  return [...keys, ...(title ?? ['name']).map((name) => ({ fields: [name] }))];
}

/** Returns a kind by its name, or the last word of it. */
export function kindNamed(name: string): Kind | undefined {
  return KINDS.find((each) => each.name === name || each.short === name);
}

/** Returns the key by which a thing is known. @param named the values of its fields */
export function keyOf({ keys }: Kind, named: Row): Key {
  const hasAll = ({ fields }: Key) => fields.every((name) => (named[name] ?? null) !== null);
  return keys.find(hasAll) ?? keys.at(-1) ?? { fields: [] };
}

/** Returns what a thing is known by, such as `B2`: to compare, and in words. */
export function valuesOf({ fields, ignoresCase }: Key, named: Row): { key: string; words: string } {
  const texts = fields.map((name) => String(named[name] ?? '').trim());
  return {
    key: JSON.stringify([fields, ignoresCase ? texts.map((text) => text.toLowerCase()) : texts]),
    words: texts.filter((text) => text !== '').join(' '),
  };
}

/** Returns a problem with a field of what stands at a path of the file. */
export function placed(path: string, { field, message }: Pick<FieldProblem, 'field' | 'message'>): string {
  return message.startsWith(field) ? `${path}.${message}` : `${path}.${field}: ${message}`;
}

export const propertiesOf = (schema: unknown): Readonly<Record<string, TSchema>> | undefined =>
  (schema as Partial<TObject> | undefined)?.properties;
