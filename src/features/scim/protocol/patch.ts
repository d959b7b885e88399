import { isObject } from '../../../entities/check-fields.ts';
import { ScimError } from './error.ts';
import { demandedBy, MAX_COMPARISONS, matcherOf } from './filter.ts';
import { type Named, parsePath, resolveName } from './path.ts';
import type { Attribute, Item, Schema } from './schema.ts';
import { hasContent, type Sent, sentAt, sentIn, type Values } from './values.ts';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const MAX_OPERATIONS = 1_000;
const MAX_PATH = 2_000;
/** Entries of `schemas` that are read. */
const MAX_SCHEMAS = 100;

/** A part of a PATCH that concerns one attribute. A value of undefined removes it, or what its filter selects. */
export interface PatchStep extends Sent {
  op: 'add' | 'replace' | 'remove';
}

/**
 * Reads the body of a PATCH (RFC 7644, section 3.5.2). Operations on attributes that are not stored are ignored.
 *
 * @param schemas schemas of the resource
 * @throws ApiError `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `noTarget`, `mutability`
 */
export function readPatch(raw: unknown, schemas: readonly Schema[]): PatchStep[] {
  const { schemas: sent, Operations } = membersOf(raw, ['schemas', 'Operations']);
  const named: unknown[] = Array.isArray(sent) ? sent.slice(0, MAX_SCHEMAS) : [];
  // Several directories send none.
  if (sent !== undefined && !named.some((each) => String(each).toLowerCase() === PATCH_SCHEMA.toLowerCase())) {
    throw new ScimError('invalidSyntax', `schemas must have ${PATCH_SCHEMA}.`);
  }
  if (!Array.isArray(Operations) || Operations.length === 0 || Operations.length > MAX_OPERATIONS) {
    throw new ScimError('invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`);
  }
  const budget = { left: MAX_COMPARISONS };
  const resolvePath = (path: string) => parsePath(path, schemas, budget);
  // Entra ID also sends full paths as names.
  const resolve = (name: string) => (name.includes('[') ? resolvePath(name) : resolveName(name, schemas));
  return Operations.flatMap((operation: unknown, index) => readOperation(operation, index, { resolve, resolvePath }));
}

interface Resolvers {
  resolve: (name: string) => Named | undefined;
  resolvePath: (path: string) => Named;
}

function readOperation(raw: unknown, index: number, { resolve, resolvePath }: Resolvers): PatchStep[] {
  const members = membersOf(raw, ['op', 'path', 'value']);
  const op = typeof members.op === 'string' ? members.op.trim().toLowerCase() : undefined;
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new ScimError('invalidSyntax', `Operations[${index}].op must be add, replace or remove.`);
  }
  const path = members.path ?? '';
  if (typeof path !== 'string' || path.length > MAX_PATH) {
    throw new ScimError('invalidPath', `Operations[${index}].path must be a text of at most ${MAX_PATH} characters.`);
  }
  if (op !== 'remove' && members.value === undefined) {
    throw new ScimError('invalidValue', `Operations[${index}] has no value.`);
  }
  let sent: Sent[];
  if (path.trim() !== '') {
    const named = resolvePath(path.trim());
    if (isRefused(named)) throw new ScimError('mutability', `${path} is read-only.`);
    sent = sentAt(path.trim(), named, op === 'remove' && !isWholeList(named) ? undefined : members.value, resolve);
  } else if (op === 'remove') {
    throw new ScimError('noTarget', `Operations[${index}] removes nothing: it has no path.`);
  } else if (isObject(members.value)) {
    sent = sentIn(members.value, resolve).filter(({ target }) => !isRefused(target));
  } else {
    throw new ScimError('invalidValue', 'Without a path the value must be an object.');
  }
  for (const each of sent) assertRemovable(op, each);
  return sent.map((each) => ({ ...each, op }));
}

/** Returns the named members of an object, ignoring the case of names. */
function membersOf<Name extends string>(raw: unknown, names: readonly Name[]): Partial<Record<Name, unknown>> {
  const members: Partial<Record<Name, unknown>> = {};
  for (const [key, value] of isObject(raw) ? Object.entries(raw) : []) {
    const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
    if (name !== undefined) members[name] = value;
  }
  return members;
}

/** Returns whether a path names a read-only attribute without an `answer`: an error as a path, ignored as a name within an object. */
function isRefused(named: Named): boolean {
  return 'attribute' in named && named.attribute.readOnly === true && named.attribute.answer === undefined;
}

const isWholeList = (named: Named) =>
  'attribute' in named && named.attribute.max !== undefined && named.sub === undefined && named.filter === undefined;

/** @throws ApiError for an attribute that must have a value: `mutability` for a removal, `invalidValue` for an empty value */
function assertRemovable(op: PatchStep['op'], { name, target: { attribute, sub }, value }: Sent): void {
  const { required, permanent, mayBeEmpty } = sub ?? attribute;
  if (value !== undefined || !(required || permanent || (mayBeEmpty && op === 'remove'))) return;
  throw new ScimError(
    op === 'remove' ? 'mutability' : 'invalidValue',
    `${name} must have a value: it cannot be removed.`,
  );
}

/** Returns the resource after the steps in order. @throws ApiError `invalidPath`, `noTarget` */
export function patched(resource: Values, steps: readonly PatchStep[]): Values {
  const values = new Map(resource);
  for (const step of steps) {
    const { attribute, sub } = step.target;
    if (attribute.max === undefined) {
      const leaf = sub ?? attribute;
      values.set(leaf, step.value ?? (leaf.hasDefault ? null : undefined));
    } else values.set(attribute, patchedList((values.get(attribute) ?? []) as readonly Item[], step));
  }
  return values;
}

function patchedList(items: readonly Item[], { op, name, target, value }: PatchStep): readonly Item[] {
  const { attribute, sub, filter } = target;
  if (isWholeList(target)) {
    const sent = value as readonly Item[] | undefined;
    if (op === 'remove' && sent) return items.filter((item) => !sent.some((each) => isNamedBy(item, each)));
    return op === 'add' && sent ? addItems(attribute, items, sent) : (sent ?? []);
  }
  if (op === 'add' && filter === undefined && sub?.name === 'value')
    return addItems(attribute, items, [{ value } as Item]);
  const matches = filter === undefined ? () => true : matcherOf(filter, attribute);
  const parts = (sub === undefined ? value : { [sub.name]: value }) as Item | undefined;
  if (parts === undefined) return items.filter((item) => !matches(item));
  if (op === 'remove' || items.some(matches))
    return items.map((item) => (matches(item) ? { ...item, ...parts } : item));
  // Entra ID adds the first item of a type by a filter that selects none.
  const demanded = filter === undefined ? {} : demandedBy(filter, attribute);
  if (demanded === undefined) {
    throw new ScimError('noTarget', `${attribute.name} has no value that the filter of ${name} chooses.`);
  }
  const slotOf = slotIn(attribute);
  const made = { ...demanded, ...parts };
  const present = items.find((item) => slotOf(item) === slotOf(made));
  return addItems(attribute, items, [{ ...present, ...made }]);
}

/** Returns whether a removal names an item: by its value, or by its other parts. */
function isNamedBy(item: Item, wanted: Item): boolean {
  const given = Object.keys(wanted).filter((each) => each !== 'primary' && wanted[each] !== undefined);
  const names = given.includes('value') ? ['value'] : given;
  return names.length > 0 && names.every((each) => fold(item[each]) === fold(wanted[each]));
}

const fold = (value: string | boolean | undefined) => String(value).toLowerCase();

/** Returns a function for the slot of an item in a list: its type, or its value where items have no types. One item per slot is kept. */
function slotIn({ sub = [] }: Attribute): (item: Item) => string {
  const isTyped = sub.some(({ name, ignored }) => name === 'type' && !ignored);
  return ({ type, value }) => fold(isTyped ? (type ?? 'work') : value);
}

/** Adds items to a list, replacing those in the same slots. A new primary item makes the others non-primary. */
function addItems(attribute: Attribute, present: readonly Item[], sent: readonly Item[]): Item[] {
  const slotOf = slotIn(attribute);
  const added = sent.filter((item) => hasContent(attribute, item));
  const bySlot = new Map(added.map((item) => [slotOf(item), item]));
  const kept = present.filter((item) => !bySlot.has(slotOf(item)));
  const isPreferred = added.some(({ primary }) => primary === true);
  return [...(isPreferred ? kept.map((item) => ({ ...item, primary: false })) : kept), ...bySlot.values()];
}
