import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '../../app/all-operations.ts';
import { EXTERNAL_ID, isCanonicalUuid } from '../../entities/characters.ts';
import { isObject } from '../../entities/check-fields.ts';
import { fieldOf } from '../../entities/entity.ts';
import { KINDS, type Kind, keyOf, kindNamed, OTHERS, propertiesOf, type Row, valuesOf } from './kinds.ts';
import { type Configuration, VARIABLE } from './read-configuration.ts';
import type { Remote } from './remote.ts';

/** A thing of the file. */
export interface Thing {
  kind: Kind;
  /** Where it stands in the file, such as `policies[2]`. */
  path: string;
  given: Row;
  /** Its texts with what they take from the environment. */
  filled: Row;
  /** What it is known by: to tell it from others, and in words. */
  key: string;
  words: string;
  /** Of a new one, the id that it gets. */
  id: string;
  isNew: boolean;
}

/** The things of a file beside those that are there, as the service shows them. */
export interface Present {
  companyId: string | undefined;
  things: readonly Thing[];
  /** Returns the things of a kind that are there. */
  rowsOf(kind: Kind): Promise<readonly Row[]>;
  /** Returns the id of what a text, or an object with some fields, names; undefined, and a problem, where it names nothing. */
  resolve(entity: string, given: unknown, path: string): Promise<string | undefined>;
  /** Returns a text with what it takes from the environment. */
  filled(text: string, path: string): string;
}

/** Finds the things of a file among those that are there. @param problems takes what is wrong in the file */
export async function findPresent(remote: Remote, file: Configuration, problems: string[]): Promise<Present> {
  const lists = new Map<string, Promise<readonly Row[]>>();
  const things: Thing[] = [];
  let companyId: string | undefined;

  function list(path: string, query: object): Promise<readonly Row[]> {
    const key = JSON.stringify([path, query]);
    const rows = lists.get(key) ?? allOf(remote.list(path, query));
    lists.set(key, rows);
    return rows;
  }

  function filled(text: string, path: string): string {
    return text.replace(VARIABLE, (whole, name: string) => {
      const value = file.environment[name];
      if (value === undefined) problems.push(`${path} needs ${name}, which the environment does not have.`);
      return value ?? whole;
    });
  }

  async function rowsOf({ list: { path } }: Kind, ofPlatform = false): Promise<readonly Row[]> {
    const rows = await list(path, companyId === undefined ? {} : { companyId });
    // Some lists have the things of the platform beside them, or those of all companies.
    const isNamed = (row: Row) => ofPlatform && row.companyId === null;
    return rows.filter((row) => row.companyId === undefined || row.companyId === (companyId ?? null) || isNamed(row));
  }

  /** Returns what a text may name, each with its names. */
  async function candidates(entity: string, search: string): Promise<{ id: string; row: Row; names: unknown[] }[]> {
    const other = OTHERS[entity];
    const kind = KINDS.find((each) => each.entity.name === entity);
    const ofPlatform = kind?.entity.ofPlatform === true;
    const by = other?.by ?? [...(kind?.keys.flatMap(({ fields }) => fields) ?? []), ...(ofPlatform ? ['name'] : [])];
    const own = things.filter((each) => each.kind === kind).map(({ id, filled: row }) => ({ ...row, id }));
    const others = other ? await list(other.path, { ...(companyId && { companyId }), search }) : [];
    const rows = ((kind && (await rowsOf(kind, ofPlatform))) ?? []).filter(
      ({ id }) => !own.some((each) => each.id === id),
    );
    return [...own, ...rows, ...others].map((row: Row) => ({
      id: String(row.id),
      row,
      names: by.map((name) => row[name]),
    }));
  }

  /** Returns what another system knows by an id. */
  async function byExternalId(
    entity: string,
    externalId: string,
  ): Promise<{ id: string; row: Row; names: unknown[] }[]> {
    const kind = KINDS.find((each) => each.entity.name === entity);
    const own = things.filter((each) => each.kind === kind && each.filled.externalId === externalId);
    const path = OTHERS[entity]?.path ?? kind?.list.path;
    const lists = OPERATIONS.find((each) => each.path === path);
    const isTaken = 'externalId' in (propertiesOf(lists?.input) ?? {});
    const rows = path && isTaken ? await list(path, { ...(companyId && { companyId }), externalId }) : [];
    const others = rows.filter(({ id }) => !own.some((each) => each.id === id));
    return [...own.map(({ id, filled: row }) => ({ ...row, id })), ...others].map((row: Row) => ({
      id: String(row.id),
      row,
      names: [],
    }));
  }

  async function resolve(entity: string, given: unknown, path: string): Promise<string | undefined> {
    if (typeof given === 'string' && isCanonicalUuid(given)) return given;
    const text = isObject(given) ? '' : filled(String(given), path);
    const externalId = text.startsWith(EXTERNAL_ID) ? text.slice(EXTERNAL_ID.length).trim() : undefined;
    const rows = externalId === undefined ? await candidates(entity, text) : await byExternalId(entity, externalId);
    const named = rows.filter((each) => {
      if (externalId !== undefined) return true;
      return isObject(given)
        ? Object.entries(given).every(([name, value]) => isSame(each.row[name], value))
        : each.names.some((value) => isSame(value, text));
    });
    // One of the company comes before one of the platform.
    const own = named.filter(({ row }) => row.companyId !== null);
    const [one, ...more] = own.length > 0 ? own : named;
    if (one !== undefined && more.length === 0) return one.id;
    const noun = OTHERS[entity]?.noun ?? KINDS.find((each) => each.entity.name === entity)?.entity.noun ?? entity;
    const what = `${noun} ${JSON.stringify(given)}`;
    problems.push(`${path}: ${one === undefined ? `there is no ${what}` : `there are several of ${what}`}.`);
    return undefined;
  }

  async function match(kind: Kind, given: Row, path: string): Promise<Thing> {
    const texts = Object.entries(given).map(([name, value]) => {
      return [name, typeof value === 'string' ? filled(value, `${path}.${name}`) : value];
    });
    const row = Object.fromEntries(texts);
    const by = keyOf(kind, row);
    const { key, words } = valuesOf(by, row);
    const [same, ...more] = (await rowsOf(kind)).filter((each) => valuesOf(by, each).key === key);
    const before = things.find((each) => each.kind === kind && (each.key === key || each.id === same?.id));
    if (before !== undefined) problems.push(`${path} is the same thing as ${before.path}.`);
    if (more.length > 0) problems.push(`${path}: there are several of ${words}, which cannot be told apart.`);
    if (words === '')
      problems.push(`${path} needs ${kind.keys.map(({ fields }) => fields.join(' and ')).join(', or ')}.`);
    const id = same === undefined ? randomUUID() : String(same.id);
    return { kind, path, given, filled: row, key, words: valuesOf(by, given).words, id, isNew: same === undefined };
  }

  if (file.company !== undefined) companyId = await resolve('company', file.company, 'company');
  for (const { name, items } of problems.length > 0 ? [] : file.lists) {
    const kind = kindNamed(name);
    if (kind === undefined) continue;
    if (companyId === undefined && !fieldOf(kind.entity, 'companyId').nullable) {
      problems.push(`company is needed: ${name} belong to one.`);
      continue;
    }
    for (const [index, given] of items.entries()) things.push(await match(kind, given, `${name}[${index}]`));
  }
  return { companyId, things, rowsOf, resolve, filled };
}

async function allOf(listed: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of listed) rows.push(row);
  return rows;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === null || one === undefined) return false;
  return String(one).trim().toLowerCase() === String(other).trim().toLowerCase();
}
