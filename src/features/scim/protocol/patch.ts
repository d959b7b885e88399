import { isObject } from '../../../entities/check-fields.ts';
import { ScimError } from './error.ts';
import { type ComparisonBudget, demandedBy, MAX_COMPARISONS, matcherOf } from './filter.ts';
import type { PatchOperation } from './patch-request.ts';
import { isWritable, keyOf, type Path, parsePath, resolveName, type Target } from './path.ts';
import type { Attribute, Item, Schema } from './schema.ts';
import {
  addName,
  assertLength,
  changeOf,
  hasContent,
  type ListChange,
  partsOf,
  partsOfItem,
  readItems,
  readParts,
  readReferences,
  readValue,
  type Sent,
  sentValues,
  type Values,
  valuesChosenBy,
} from './values.ts';

type Op = PatchOperation['op'];

/** A PATCH in progress: the values so far, and what its operations share. */
interface Patch {
  values: Values;
  schemas: readonly Schema[];
  budget: ComparisonBudget;
}

/**
 * Returns the values after applying the operations in order (RFC 7644, section 3.5.2). Operations on attributes that are not stored are
 * ignored.
 *
 * @param schemas schemas of the resource
 * @throws ApiError `invalidPath`, `invalidFilter`, `invalidSyntax`, `invalidValue`, `noTarget`, `mutability`
 */
export function applyPatch(values: Values, operations: readonly PatchOperation[], schemas: readonly Schema[]): Values {
  const patch = { values: { ...values }, schemas, budget: { left: MAX_COMPARISONS } };
  for (const operation of operations) applyOperation(patch, operation);
  return patch.values;
}

function applyOperation(patch: Patch, { op, path, value }: PatchOperation): void {
  const { schemas, budget } = patch;
  if (path !== undefined) {
    applyTo(patch, op, parsePath(path, schemas, budget), value);
    return;
  }
  const names = new Set<string>();
  for (const [key, each] of Object.entries(objectOf(value)) as [string, unknown][]) {
    // Entra ID also sends full paths as names.
    const path = key.includes('[') ? parsePath(key, schemas, budget) : pathOf(key, schemas);
    if (path === undefined) continue;
    addName(names, key);
    if (!isRefused(path)) applyTo(patch, op, path, each);
  }
}

function pathOf(text: string, schemas: readonly Schema[]): Path | undefined {
  const target = resolveName(text, schemas);
  return target && { text, target, filter: undefined };
}

/** Returns whether a path names a read-only attribute without an `answer`: an error as a path, ignored as a name within an object. */
function isRefused({ target }: Path): boolean {
  return 'attribute' in target && target.attribute.readOnly === true && target.attribute.answer === undefined;
}

/** Returns the value of an operation without a path. @throws ApiError `invalidValue` */
function objectOf(value: unknown): object {
  if (isObject(value)) return value;
  throw new ScimError('invalidValue', 'Without a path the value must be an object.');
}

function applyTo(patch: Patch, op: Op, path: Path, value: unknown): void {
  const { values, schemas } = patch;
  const { text, target, filter } = path;
  if ('schema' in target) {
    const { id, attributes } = target.schema;
    if (op === 'remove' || value === null || value === '') {
      for (const attribute of attributes) removeKept(values, op, text, { attribute, sub: undefined });
    } else {
      for (const { name, target: of, value: sent } of sentValues({ [id]: value }, schemas)) {
        applyTo(patch, op, { text: name, target: of, filter: undefined }, sent);
      }
    }
    return;
  }
  const { attribute, sub } = target;
  if (isRefused(path)) throw new ScimError('mutability', `${text} is read-only.`);
  if (!isWritable(target)) return;
  if (attribute.large) changeLargeList(values, op, path, value);
  else if (filter !== undefined) {
    const matches = matcherOf(filter, attribute);
    if (op === 'remove') removeMatching(values, target, matches);
    else writeMatching(values, { name: text, target, value }, { matches, demanded: demandedBy(filter, attribute) });
  } else if (op !== 'remove') {
    for (const part of partsOf(text, target, value)) write(values, op, part);
  } else if (attribute.max === undefined) removeKept(values, op, text, target);
  else if (sub !== undefined) removeMatching(values, target, () => true);
  else removeItems(values, text, attribute, value);
}

/** Adds to the change of a large list, whose present items are not known. @throws ApiError */
function changeLargeList(values: Values, op: Op, { text, target, filter }: Path, sent: unknown): void {
  const { attribute, sub } = target as Target;
  if (filter !== undefined && (op !== 'remove' || sub !== undefined)) {
    throw new ScimError('invalidPath', `${text} can only be removed.`);
  }
  if (sub !== undefined && sub.name !== 'value') return;
  const items = filter === undefined ? readReferences(text, attribute, sent) : valuesChosenBy(filter);
  const removesAll = op === 'remove' && filter === undefined && (sent === undefined || sent === null);
  const change = changeOf(items, op !== 'remove', op === 'replace' || removesAll);
  const before = values[attribute.name] as ListChange | undefined;
  if (change.isWhole || before === undefined) values[attribute.name] = change;
  else for (const [item, isMember] of change.items) before.items.set(item, isMember);
}

/** Writes a value or a list. An empty value removes it. */
function write(values: Values, op: Op, { name, target, value: sent }: Sent): void {
  const { attribute, sub } = target;
  if (attribute.max === undefined) {
    const value = readValue(name, sub ?? attribute, sent);
    if (value === undefined) assertRemovable(op, name, target);
    set(values, keyOf(target), value);
  } else if (sub !== undefined && !(op === 'add' && sub.name === 'value')) {
    writeMatching(values, { name, target, value: sent }, { matches: () => true, demanded: {} });
  } else {
    const items = readItems(name, attribute, sub === undefined ? sent : { value: sent });
    const isAdded = op === 'add' && sent !== null && sent !== '';
    setItems(values, name, attribute, isAdded ? addItems(attribute, itemsOf(values, attribute), items) : items);
  }
}

/** Removes a single-valued attribute, with all sub-attributes if it is complex. */
function removeKept(values: Values, op: Op, name: string, { attribute, sub }: Target): void {
  const subs = sub === undefined && attribute.sub !== undefined && attribute.max === undefined ? attribute.sub : [sub];
  for (const each of subs) {
    const target = { attribute, sub: each };
    if (!isWritable(target)) continue;
    assertRemovable(op, name, target);
    set(values, keyOf(target), undefined);
  }
}

/** @throws ApiError for an attribute that must have a value: `mutability` for a removal, `invalidValue` for an empty value */
function assertRemovable(op: Op, name: string, { attribute, sub }: Target): void {
  const { required, permanent, mayBeEmpty } = sub ?? attribute;
  if (!required && !permanent && !(mayBeEmpty && op === 'remove')) return;
  throw new ScimError(
    op === 'remove' ? 'mutability' : 'invalidValue',
    `${name} must have a value: it cannot be removed.`,
  );
}

function set(values: Values, key: string, value: unknown): void {
  if (value === undefined) delete values[key];
  else values[key] = value;
}

function itemsOf(values: Values, { name }: Attribute): readonly Item[] {
  return (values[name] ?? []) as readonly Item[];
}

/** Sets a list, dropping items without any content that is stored. */
function setItems(values: Values, name: string, attribute: Attribute, items: readonly Item[]): void {
  const kept = items.filter((item) => hasContent(attribute, item));
  assertLength(name, attribute, kept);
  set(values, attribute.name, kept.length === 0 ? undefined : kept);
}

/** Returns a function for the slot of an item in a list: its type, or its value where items have no types. One item per slot is kept. */
function slotIn({ sub = [] }: Attribute): (item: Item) => string {
  const isTyped = sub.some(({ name, ignored }) => name === 'type' && !ignored);
  return ({ type, value }) => String(isTyped ? (type ?? 'work') : value).toLowerCase();
}

/** Adds items to a list, replacing those in the same slots. A new primary item makes the others non-primary. */
function addItems(attribute: Attribute, present: readonly Item[], added: readonly Item[]): Item[] {
  const slotOf = slotIn(attribute);
  const bySlot = new Map(added.map((item) => [slotOf(item), item]));
  const kept = present.filter((item) => !bySlot.has(slotOf(item)));
  const isPreferred = added.some(({ primary }) => primary === true);
  return [...(isPreferred ? kept.map((item) => ({ ...item, primary: false })) : kept), ...bySlot.values()];
}

function removeMatching(values: Values, { attribute, sub }: Target, matches: (item: Item) => boolean): void {
  const items = itemsOf(values, attribute);
  const left = items.flatMap((item) => {
    if (!matches(item)) return [item];
    return sub === undefined ? [] : [withPart(item, sub.name, undefined)];
  });
  setItems(values, attribute.name, attribute, left);
}

/** Removes a whole list, or with values the equal items: `{ "op": "Remove", "path": "roles", "value": [{ "value": … }] }`. */
function removeItems(values: Values, name: string, attribute: Attribute, sent: unknown): void {
  if (sent === undefined || sent === null) {
    set(values, attribute.name, undefined);
    return;
  }
  const parts = readParts(name, attribute, sent);
  const isSame = (item: Item, wanted: Item) => {
    const names = 'value' in wanted ? ['value'] : Object.keys(wanted).filter((each) => each !== 'primary');
    return names.length > 0 && names.every((each) => fold(item[each]) === fold(wanted[each]));
  };
  removeMatching(values, { attribute, sub: undefined }, (item) => parts.some((wanted) => isSame(item, wanted)));
}

const fold = (value: string | boolean | undefined) => String(value).toLowerCase();

/** Selects the items of a list to write. If none matches, one is created from `demanded`; undefined: it cannot be. */
interface Choice {
  matches: (item: Item) => boolean;
  demanded: Item | undefined;
}

/** Writes the selected items of a list. If there are none, one is created: Entra ID adds the first of a type in this way. */
function writeMatching(
  values: Values,
  { name, target: { attribute, sub }, value: sent }: Sent,
  { matches, demanded }: Choice,
): void {
  if (sub === undefined && sent === null) {
    removeMatching(values, { attribute, sub }, matches);
    return;
  }
  const items = itemsOf(values, attribute);
  const parts = sub === undefined ? partsOfItem(name, attribute, sent) : { [sub.name]: readValue(name, sub, sent) };
  const written = (item: Item) =>
    Object.entries(parts).reduce((result, [key, value]) => withPart(result, key, value), item);
  if (items.some(matches)) {
    const changed = items.map((item) => (matches(item) ? written(item) : item));
    setItems(values, name, attribute, changed);
    return;
  }
  if (demanded === undefined) {
    throw new ScimError('noTarget', `${attribute.name} has no value that the filter of ${name} chooses.`);
  }
  const slotOf = slotIn(attribute);
  const made = written(demanded);
  const present = items.find((item) => slotOf(item) === slotOf(made));
  setItems(values, name, attribute, addItems(attribute, items, [{ ...present, ...made }]));
}

function withPart(item: Item, name: string, value: string | boolean | undefined): Item {
  const { [name]: _, ...rest } = item;
  return value === undefined ? rest : { ...rest, [name]: value };
}
