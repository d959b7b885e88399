import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../entities/api-error.ts';
import { isObject, unknownName } from '../../entities/check-fields.ts';
import { APPROVER_ROLES } from '../../entities/roles.ts';
import { UserError } from '../../lib/errors.ts';
import { type Kind, keyOf, kindNamed, placed, propertiesOf, type Row, valuesOf } from './kinds.ts';
import type { Configuration } from './read-configuration.ts';
import { findPresent, type Present, type Thing } from './references.ts';
import type { Remote } from './remote.ts';

/** One thing to do. */
export interface Step {
  does: 'create' | 'update' | 'delete';
  kind: Kind;
  path: string;
  /** What the thing is known by. */
  words: string;
  id: string;
  /** Fields to write. */
  body: Row;
  /** Those that a create does not take: they are written after it. */
  later: Row;
  /** What changes, in words, without secrets. */
  changes: readonly string[];
}

/** Returns what is to be done for a file, in the order in which it can be done. @param prune whether things go that the file does not have, of kinds that it names @param again whether values are written again that are never read @throws UserError with every problem of the file */
export async function planOf(
  remote: Remote,
  file: Configuration,
  { prune, again }: { prune: boolean; again: boolean },
): Promise<Step[]> {
  const problems: string[] = [];
  const present = await findPresent(remote, file, problems);
  const steps: Step[] = [];
  for (const thing of problems.length > 0 ? [] : present.things) {
    const body = (await settled(present, thing)) as Row;
    const step = thing.isNew ? creation(thing, body) : await change(thing, body);
    if (step !== undefined) steps.push(step);
  }
  if (problems.length > 0) {
    throw new UserError([`${file.file} cannot be applied:`, ...new Set(problems)].join('\n  '));
  }
  return [...inOrderOfNeed(steps, ({ body }) => body), ...(prune ? await removals() : [])];

  /** Returns the fields of a thing as requests have them: with ids for names, and values of the environment. */
  function settled({ filled, resolve }: Present, { kind, path, given }: Thing): Promise<unknown> {
    const known = { ...propertiesOf(kind.create.input), ...propertiesOf(kind.update.input) };
    const { id: _, companyId: __, ...properties } = known;
    const unknown = Object.keys(given).filter((name) => !(name in properties));
    problems.push(...unknown.map((name) => placed(path, unknownName(name, Object.keys(properties)))));
    const walk = async (value: unknown, schema: unknown, at: string, name: string | undefined): Promise<unknown> => {
      const target = name === undefined ? undefined : kind.references.get(name);
      const types: unknown[] = [(schema as { type?: unknown } | undefined)?.type].flat();
      if (Array.isArray(value)) {
        const { items } = (schema ?? {}) as { items?: unknown };
        return Promise.all(value.map((item, index) => walk(item, items, `${at}[${index}]`, name)));
      }
      if (target !== undefined && value !== null) return resolve(target, value, at);
      if (typeof value === 'string') return filled(value, at);
      if (typeof value === 'number' && types.includes('string')) return String(value);
      if (!isObject(value)) return value;
      const fields = propertiesOf(schema);
      const entries = Object.entries(value).map(async ([field, each]) => {
        // Answers have a role of the company's own, or of the platform, as the approver.
        if (field === 'roleRequired' && typeof each === 'string' && !isApproverRole(each) && !value.approver)
          return ['approver', { roleId: await resolve('role', each, `${at}.${field}`) }] as const;
        return [field, await walk(each, fields?.[field], `${at}.${field}`, fields && field)] as const;
      });
      return Object.fromEntries(await Promise.all(entries));
    };
    return walk(given, { properties }, path, undefined);
  }

  function creation(thing: Thing, settledBody: Row): Step {
    const { kind, path, id, words } = thing;
    const taken = propertiesOf(kind.create.input) ?? {};
    const those = (isTaken: boolean) => Object.entries(settledBody).filter(([name]) => name in taken === isTaken);
    const { companyId } = present;
    const body = { id, ...(companyId && { companyId }), ...Object.fromEntries(those(true)) };
    check(path, kind, 'create', body);
    const changes = Object.keys(settledBody).map((name) => `${name} ${shown(thing, name)}`);
    return { does: 'create', kind, path, words, id, body, later: Object.fromEntries(those(false)), changes };
  }

  async function change(thing: Thing, body: Row): Promise<Step | undefined> {
    const { kind, path, id, words } = thing;
    const { data: before } = await remote.get(kind.get.path, { id });
    const names = Object.keys(body).filter((name) => isChanged(kind, body, before, name));
    const fixed = names.filter((name) => !(name in (propertiesOf(kind.update.input) ?? {})));
    for (const name of fixed) problems.push(`${path}.${name} cannot be changed: delete the ${kind.entity.noun} first.`);
    if (names.length === 0 || fixed.length > 0) return undefined;
    const changes = names.map((name) => {
      const old = before[name];
      const isTold = old === null || (typeof old !== 'object' && !kind.references.has(name) && !isSecret(thing, name));
      const from = isTold && old !== undefined ? `${JSON.stringify(old)} → ` : '';
      return `${name} ${from}${shown(thing, name)}`;
    });
    const changed = { id, ...Object.fromEntries(names.map((name) => [name, body[name]])) };
    check(path, kind, 'update', changed);
    return { does: 'update', kind, path, words, id, body: changed, later: {}, changes };
  }

  function isChanged(kind: Kind, body: Row, before: Row, name: string): boolean {
    const value = body[name];
    if (!(name in (propertiesOf(kind.get.output.view) ?? {}))) {
      // Never shown: their names are, `headerNames` of `headers`.
      const names = Object.keys(isObject(value) ? value : {}).map((each) => each.toLowerCase());
      return (
        again || !isDeepStrictEqual(names.sort(), [...((before[`${name.slice(0, -1)}Names`] as string[]) ?? [])].sort())
      );
    }
    const isKeyed = kind.entity.fields[name]?.keyed === true;
    const hasParts = isKeyed || propertiesOf(propertiesOf(kind.update.input)?.[name]) !== undefined;
    const { [name.replace(/Id$/, '')]: whose } = before;
    const old = isObject(whose) && whose.inherited === true ? null : before[name];
    const parts = hasParts && isObject(value) && isObject(old) ? Object.keys(value) : undefined;
    const same = parts ? Object.fromEntries(parts.map((part) => [part, (old as Row)[part] ?? null])) : withoutIds(old);
    return !isDeepStrictEqual(inOneForm(kind, name, value), inOneForm(kind, name, same ?? null));
  }

  /** Returns things that the file does not have, of kinds that it names, those first that others need no more. */
  async function removals(): Promise<Step[]> {
    const gone: (Step & { row: Row })[] = [];
    const kept = new Set(present.things.map(({ id }) => id));
    for (const { name } of file.lists) {
      const kind = kindNamed(name);
      if (kind === undefined) continue;
      for (const listed of await present.rowsOf(kind)) {
        const id = String(listed.id);
        // A field that is deleted stays for 30 days, inactive, and then goes with its values.
        if (kept.has(id) || (kind.entity.name === 'field' && listed.active === false)) continue;
        const { data: row } = await remote.get(kind.get.path, { id });
        const { words } = valuesOf(keyOf(kind, row), row);
        gone.push({ does: 'delete', kind, path: name, words, id, body: { id }, later: {}, changes: [], row });
      }
    }
    return inOrderOfNeed(gone, ({ row }) => row).reverse();
  }

  /** Reads a body as the service does. */
  function check(path: string, kind: Kind, verb: 'create' | 'update', body: Row): void {
    try {
      kind[verb].parse?.(body, null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...error.problems.map((each) => placed(path, each)));
    }
  }
}

/** Returns a value as the service reads it, so that 5 and 5.00 are the same. */
function inOneForm({ update }: Kind, name: string, value: unknown): unknown {
  const sorted = (read: unknown): unknown => {
    if (Array.isArray(read))
      return read.map(sorted).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    if (!isObject(read)) return read;
    return Object.fromEntries(Object.entries(read).map(([key, each]) => [key, sorted(each)]));
  };
  try {
    return sorted(update.parse?.({ id: '00000000-0000-4000-8000-000000000000', [name]: value }, null));
  } catch {
    return sorted(value);
  }
}

const isApproverRole = (text: string) => APPROVER_ROLES.some((role) => role === text.trim());

/** Returns a list of parts of a thing without their ids, which a file does not have. */
function withoutIds(value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? { ...item, id: undefined } : item)) : value;
}

/** Whether a value comes from the environment, or is never shown. */
function isSecret({ kind, given }: Thing, name: string): boolean {
  return /\$\{\w+\}/.test(JSON.stringify(given[name])) || !(name in (propertiesOf(kind.get.output.view) ?? {}));
}

const MAX_SHOWN = 400;

/** Returns a value of the file in words. */
function shown(thing: Thing, name: string): string {
  const value = thing.given[name];
  if (isSecret(thing, name)) return isObject(value) ? `(${Object.keys(value).join(', ')})` : '(not shown)';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

const IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns steps after those whose things they need. @param contentOf what has the ids of the things that a step needs */
function inOrderOfNeed<Each extends Step>(steps: readonly Each[], contentOf: (step: Each) => Row): Each[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ordered = new Set<Each>();
  const begun = new Set<Each>();
  const fields = steps.filter(({ kind }) => kind.entity.name === 'field');
  const add = (step: Each): void => {
    if (begun.has(step)) return;
    begun.add(step);
    for (const field of fields) add(field);
    for (const [id] of JSON.stringify(contentOf(step)).matchAll(IDS)) {
      const needed = byId.get(id);
      if (needed !== undefined) add(needed);
    }
    ordered.add(step);
  };
  for (const step of steps) add(step);
  return [...ordered];
}
