import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import { compareCodePoints, fold } from '../../src/lib/text-folding.ts';
import { pageOf } from './answers.ts';
import type { TestApp } from './build-test-app.ts';

/** An item of a list, and the texts that a search looks in. */
export interface ListedItem {
  id: string;
  name: string;
  texts: readonly string[];
}

/** A list behind a token that is always paginated, and all that is in it. */
export interface PagedList {
  name: string;
  url: string;
  message: string;
  /** The e-mail address of someone who may see it. */
  as: string;
  /** What has to be asked for. */
  query: Record<string, string>;
  /** The index that the list is read by. */
  index: string;
  /** It is no operation of the contract, and refuses unknown parameters. */
  refusesUnknown?: true;
  /** Everything in the list, in any order. */
  items: readonly ListedItem[];
}

/** Parameters; a list is a parameter given more than once. */
export type Query = Record<string, string | string[]>;

/** The ids of the items that a search for this needle finds, in the order of the list: names that begin with it come first. */
export function expectedIds(list: PagedList, needle = ''): string[] {
  const folded = fold(needle);
  return list.items
    .filter(({ texts }) => texts.some((text) => fold(text).includes(folded)))
    .map(({ id, name }) => ({ id, name: fold(name), place: fold(name).startsWith(folded) ? 0 : 1 }))
    .sort((a, b) => a.place - b.place || compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id))
    .map(({ id }) => id);
}

/** The ids that all pages of this size hold, one after the other. */
export async function walk(api: TestApp, list: PagedList, query: Query, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const response = await ask(api, list, { ...query, page: String(page), limit: String(limit) });
    const { items, pagination } = pageOf<{ id: string }>(response);
    assert.ok(items.length === limit || !pagination.hasNextPage);
    ids.push(...items.map(({ id }) => id));
    if (!pagination.hasNextPage) return ids;
  }
}

/** Asks for the list with these parameters next to those that it has to be asked with. */
export function ask(api: TestApp, { url, as, query }: PagedList, more: Query): Promise<LightMyRequestResponse> {
  return api.send({ url, as, query: { ...query, ...more } });
}
