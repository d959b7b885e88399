import { ENTERPRISE, type Json, ORGDESK, USER } from './directory.ts';

/*
 * PATCH by RFC 7644, section 3.5.2, written for the tests alone and from the text of the standard, with what orgdesk says of itself beyond it:
 * a value of a type that is there is replaced by one that is added, what a filter does not find is added, and of lists one value is kept.
 */

export interface Op {
  op: string;
  path?: string;
  value?: unknown;
}

type Item = Record<string, unknown>;
type Test = (item: Item) => boolean;

const LISTS = ['emails', 'phoneNumbers', 'addresses', 'roles'];
const EXTENSIONS = [ENTERPRISE, ORGDESK];
const NAMES = [
  'userName',
  'externalId',
  'active',
  'name',
  'givenName',
  'familyName',
  'department',
  'value',
  'type',
  'primary',
  'streetAddress',
  'postalCode',
  'country',
  'bandCode',
  'approvalLimit',
  'clientType',
  'dateOfBirth',
  'gender',
  'addressLine2',
  ...LISTS,
];

/** A name as the schemas write it. */
function canonical(name: string): string {
  return NAMES.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}

function fold(value: unknown): string {
  return String(value).toLowerCase();
}

/** Reads a value filter: comparisons, `and` before `or`, `not` and brackets. */
class FilterReader {
  readonly #tokens: string[];
  constructor(text: string) {
    this.#tokens = text.match(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g) ?? [];
  }

  or(): Test {
    const left = this.and();
    if (fold(this.#tokens[0]) !== 'or') return left;
    this.#tokens.shift();
    const right = this.or();
    return (item) => left(item) || right(item);
  }

  and(): Test {
    const left = this.one();
    if (fold(this.#tokens[0]) !== 'and') return left;
    this.#tokens.shift();
    const right = this.and();
    return (item) => left(item) && right(item);
  }

  one(): Test {
    const first = this.#tokens.shift() ?? '';
    if (fold(first) === 'not') {
      const inner = this.one();
      return (item) => !inner(item);
    }
    if (first === '(') {
      const inner = this.or();
      this.#tokens.shift();
      return inner;
    }
    const op = fold(this.#tokens.shift());
    const name = canonical(first);
    // The one that is kept is the primary one, whether that is told or not.
    const valueIn = (item: Item) => item[name] ?? (name === 'primary' ? true : undefined);
    if (op === 'pr') return (item) => valueIn(item) !== undefined;
    const wanted = fold(JSON.parse(this.#tokens.shift() ?? 'null'));
    return (item) => {
      const value = valueIn(item);
      if (op === 'ne') return value === undefined || fold(value) !== wanted;
      if (value === undefined) return false;
      if (op === 'eq') return fold(value) === wanted;
      if (op === 'co') return fold(value).includes(wanted);
      return op === 'sw' ? fold(value).startsWith(wanted) : fold(value).endsWith(wanted);
    };
  }
}

/** What `eq` comparisons of a filter say that a new value has. */
function demanded(filter: string): Item {
  const pairs = [...filter.matchAll(/(\w+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)/gi)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [canonical(name), JSON.parse(value)]));
}

function slot(list: string, item: Item): string {
  return list === 'roles' ? fold(item.value) : fold(item.type ?? 'work');
}

function add(list: string, present: Item[], item: Item): Item[] {
  const others = present.filter((each) => slot(list, each) !== slot(list, item));
  return [...(item.primary === true ? others.map((each) => ({ ...each, primary: false })) : others), item];
}

function canonicalItem(value: unknown): Item {
  const item = typeof value === 'string' ? { value } : (value as object);
  const entries = Object.entries(item).map(([name, each]): [string, unknown] => [canonical(name), each]);
  return Object.fromEntries(entries.filter(([name, each]) => NAMES.includes(name) && each !== null && each !== ''));
}

function assign(item: Item, name: string, value: unknown): Item {
  const { [name]: _, ...rest } = item;
  return value === undefined || value === null || value === '' ? rest : { ...rest, [name]: value };
}

function isKept(list: string, item: Item): boolean {
  return list === 'addresses'
    ? Boolean(item.streetAddress ?? item.postalCode ?? item.country)
    : item.value !== undefined;
}

function patchList(resource: Json, list: string, op: string, filter: string | undefined, sub: string, value: unknown) {
  const present: Item[] = resource[list] ?? [];
  const chosen: Test = filter === undefined ? () => true : new FilterReader(filter).or();
  let items: Item[];
  if (op === 'remove') {
    const named = filter === undefined && value !== undefined ? [value].flat().map(canonicalItem) : undefined;
    const isGone: Test =
      named === undefined ? chosen : (item) => named.some((each) => fold(each.value) === fold(item.value));
    items = present.flatMap((item) => (isGone(item) ? (sub === '' ? [] : [assign(item, sub, undefined)]) : [item]));
  } else if (filter === undefined && sub === '') {
    const given = value === null || value === '' ? [] : [value].flat().map(canonicalItem);
    items = op === 'add' ? given.reduce((all: Item[], item) => add(list, all, item), present) : given;
  } else {
    const change = (item: Item) =>
      sub === ''
        ? Object.entries(canonicalItem(value)).reduce((all, [name, each]) => assign(all, name, each), item)
        : assign(item, sub, value);
    const made = change(demanded(filter ?? ''));
    const same = present.find((item) => slot(list, item) === slot(list, made));
    items = present.some(chosen)
      ? present.map((item) => (chosen(item) ? change(item) : item))
      : add(list, present, { ...same, ...made });
  }
  resource[list] = items.filter((item) => isKept(list, item));
}

/** One operation on one path. */
function patchPath(resource: Json, op: string, path: string, value: unknown): void {
  const extension = EXTENSIONS.find((id) => fold(path).startsWith(fold(id)));
  const core = fold(path).startsWith(fold(USER)) ? path.slice(USER.length + 1) : path;
  if (extension !== undefined) {
    const name = path.slice(extension.length + 1);
    if (name === '')
      for (const [key, each] of Object.entries(value as object)) patchPath(resource, op, `${extension}:${key}`, each);
    else resource[extension] = assign(resource[extension] ?? {}, canonical(name), op === 'remove' ? undefined : value);
    return;
  }
  const [, first = '', filter, behind] = /^([^[.]+)(?:\[(.*)\])?(?:\.(\w+))?$/s.exec(core) ?? [];
  const name = canonical(first);
  if (LISTS.includes(name)) patchList(resource, name, op, filter, behind === undefined ? '' : canonical(behind), value);
  else if (name === 'name' && behind === undefined) {
    for (const [key, each] of Object.entries(value as object)) patchPath(resource, op, `name.${key}`, each);
  } else if (behind !== undefined)
    resource[name] = assign(resource[name], canonical(behind), op === 'remove' ? undefined : value);
  else {
    const kept = assign(
      resource,
      name,
      op === 'remove' ? undefined : name === 'active' ? fold(value) === 'true' : value,
    );
    if (!(name in kept)) delete resource[name];
    else resource[name] = kept[name];
  }
}

/** Of several addresses the one that is kept. */
function work(items: Item[]): Item | undefined {
  const isWork = (item: Item) => fold(item.type) === 'work';
  const isPrimary = (item: Item) => item.primary === true;
  return (
    items.find((item) => isWork(item) && isPrimary(item)) ??
    items.find(isWork) ??
    items.find(isPrimary) ??
    items.find(({ type }) => type === undefined)
  );
}

function phone(items: Item[]): Item | undefined {
  const isType = (type: string) => (item: Item) => fold(item.type) === type;
  return (
    items.find(({ primary }) => primary === true) ??
    items.find(isType('work')) ??
    items.find(isType('mobile')) ??
    items[0]
  );
}

/** The resource as orgdesk answers it. */
function answered(resource: Json): Json {
  const { meta: _, ...rest } = resource;
  const fullName = `${rest.name.givenName} ${rest.name.familyName}`;
  const mail = work(rest.emails ?? []);
  const call = phone(rest.phoneNumbers ?? []);
  const place = work(rest.addresses ?? []);
  const roles = [...new Set((rest.roles ?? []).map(({ value }: Item) => String(value).toUpperCase()))].sort();
  const own = rest[ORGDESK] ?? {};
  const lists = {
    emails: [{ value: mail?.value ?? rest.userName, type: 'work', primary: true }],
    ...(call ? { phoneNumbers: [{ value: call.value, type: call.type ?? 'work' }] } : {}),
    ...(place ? { addresses: [{ ...assign(place, 'primary', undefined), type: 'work' }] } : {}),
    ...(roles.length > 0 ? { roles: roles.map((value) => ({ value })) } : {}),
  };
  for (const list of LISTS) delete rest[list];
  return {
    ...rest,
    ...lists,
    displayName: fullName,
    name: { ...rest.name, formatted: fullName },
    [ORGDESK]: { approvalLimit: '0.00', clientType: 'CORPORATE', ...own },
  };
}

/** What a resource is after the operations, without `meta`. */
export function patched(before: Json, operations: readonly Op[]): Json {
  const resource = structuredClone(before);
  for (const { op, path, value } of operations) {
    if (path !== undefined) patchPath(resource, fold(op), path, value);
    else for (const [key, each] of Object.entries(value as object)) patchPath(resource, fold(op), key, each);
  }
  return answered(resource);
}
