import { LRUCache } from 'lru-cache';
import { looseForm } from './alternate-names/loose-form.ts';
import { type Area, partSearch } from './alternate-names/part-search.ts';
import { likelyNames, NO_SIMILAR, openNameSearch } from './alternate-names/search.ts';
import { typedNameSearch, withoutPostcode } from './alternate-names/typed-names.ts';
import type { ListParts } from './geography-parts.ts';
import { openNgramIndex } from './ngram-index.ts';
import {
  filterRanks,
  filterTo,
  filterToIds,
  indexById,
  NONE,
  type RankFilter,
  rowsAt,
  shorter,
  sortedUnion,
  unionOf,
} from './number-lists.ts';
import { BONUS, inScoreOrder, wholeBonus } from './score.ts';

export interface SearchOptions {
  /** Kinds of area that may follow a name: the id at each rank, and the ids of the areas with a folded name or code. */
  areas?: readonly { ids: Int32Array; called(name: string, isWhole: boolean): Iterable<number> }[];
  /** The id that each id without a rank stands for, and its name. */
  doubles?: Readonly<Record<number, readonly [id: number, name: string]>>;
  /** People at each rank, if locations of one code come by them with alternate names. */
  people?: readonly number[];
}

/** Search text and which names to search, own ids, and ids of filters (a location has any of several of a kind). */
export type SearchQuery<Filter extends string> = {
  search?: string | undefined;
  /** Whether alternate names and similar ones count; absent: only names that have the needle. */
  alternateNames?: boolean | undefined;
  ids?: readonly number[] | undefined;
} & { [Name in Filter]?: number | readonly number[] | undefined };

/** What a search found. */
export interface RankHits {
  /** Ranks if there is a needle; rows, ascending, if there is none (undefined: all). */
  numbers: Uint32Array | undefined;
  /** What found them if no name has the needle: a name with one letter wrong, or one that is a part of the text. */
  match?: 'similar' | 'part';
}

const asTyped = (numbers: Uint32Array): RankHits & { numbers: Uint32Array } => ({ numbers });

/** Maximum cache size of past searches, per list. */
const MAX_HITS_BYTES = 4 * 1024 * 1024;
/** Approximate size of an entry besides its key and its hits. */
const ENTRY_BYTES = 200;
/** As long as a needle that is meant to be whole. */
const WHOLE_NAME = 'whole';
/** An IATA code as it is written; in small letters it may be the beginning of a name. */
const CODE = /^\s*[A-Z]{3}\s*$/;
/** A text that may have a wrong letter. */
const WORDS = /^[\p{L}\p{M}\s'’.-]+$/u;

/**
 * Opens the search of a list. A whole code comes first; then own names that begin with the needle, and those that contain it, each by rank.
 * With alternate names the first part is in the order of a score, of how a name matches and of population. If there is none of these, other
 * spellings, and then names with one letter wrong.
 */
export function locationSearch<Filter extends string>(
  parts: ListParts<Filter>,
  { areas = [], doubles = {}, people }: SearchOptions,
) {
  const { order, ids, weights } = parts;
  const [ngrams, names, codes] = [openNgramIndex(parts.ngrams), openNameSearch(parts.names), ranksOfCodes(parts.codes)];
  const typed = typedNameSearch(names, inArea, codes.size > 0);
  const stateIds = areas.length > 1 ? areas[0]?.ids : undefined;
  const byPart = partSearch(names, areaOf, (rank) => stateIds?.[rank], weights);
  const [ranksOfId, union] = [indexById(ids), unionOf(ids.length)];
  const columns = Object.entries(parts.filters) as [Filter, Int32Array][];
  const filters = columns.map(([name, ids]) => ({ name, ids, ranksOf: indexById(ids) }));
  const ready = new Map<string, Uint32Array>();
  const known = new LRUCache<string, RankHits & { numbers: Uint32Array }>({
    maxSize: MAX_HITS_BYTES,
    // A search with more hits would evict many others.
    maxEntrySize: MAX_HITS_BYTES / 16,
    sizeCalculation: ({ numbers }, key) => ENTRY_BYTES + 2 * key.length + numbers.byteLength,
  });

  function areasCalled(name: string, isWhole: boolean): { ids: Int32Array; known: Set<number> }[] {
    const called = areas.map((area) => ({ ids: area.ids, known: new Set(area.called(name, isWhole)) }));
    return called.filter(({ known }) => known.size > 0);
  }

  function inArea(ranks: Uint32Array, name: string, called = areasCalled(name, false)): Uint32Array {
    if (called.length === 0) return NONE;
    return filterRanks(ranks, (rank) => called.some(({ ids, known }) => known.has(ids[rank] ?? 0)));
  }

  function areaOf(name: string): Area | undefined {
    const called = areasCalled(name, true);
    const countryIds = areas.at(-1)?.ids;
    if (called.length === 0 || countryIds === undefined) return undefined;
    const isCountry = called.some(({ ids }) => ids === countryIds);
    const around = new Set<number | undefined>();
    for (const { name, ranksOf } of filters) {
      const known = called.find(({ ids }) => ids === parts.filters[name])?.known ?? [];
      for (const id of known) around.add(countryIds[ranksOf(id)[0] ?? -1]);
    }
    return {
      isCountry,
      within: (ranks) => inArea(ranks, name, called),
      around: (ranks) => filterRanks(ranks, (rank) => around.has(countryIds[rank])),
    };
  }

  function filterOf(query: SearchQuery<Filter>): RankFilter | undefined {
    let filter: RankFilter | undefined;
    for (const { name, ids, ranksOf } of filters) {
      const given = query[name];
      if (given === undefined) continue;
      const required = new Set([given].flat());
      const own = filterToIds(required, ids, Array.from(required, ranksOf).reduce(sortedUnion, NONE));
      const outer = filter;
      filter = outer
        ? { ranks: shorter(outer.ranks, own.ranks), narrow: (ranks) => own.narrow(outer.narrow(ranks)) }
        : own;
    }
    return filter;
  }

  function search(
    needle: string,
    query: SearchQuery<Filter>,
    filter: RankFilter | undefined,
  ): RankHits & { numbers: Uint32Array } {
    const { alternateNames, search: text = '' } = query;
    const narrow = (ranks: Uint32Array) => (filter === undefined || ranks.length === 0 ? ranks : filter.narrow(ranks));
    const coded = narrow(codes.get(needle) ?? NONE);
    const own = ngrams.find(needle, filter);
    if (!alternateNames) return asTyped(coded.length === 0 ? own.ranks : union([coded, own.ranks]));
    const form = looseForm(needle);
    // Without populations a whole name comes first, whatever its length.
    const meant = (weights[0] ?? 0) > 0 ? form : WHOLE_NAME;
    const isCode = CODE.test(text);
    const beginning = own.ranks.subarray(0, own.prefixCount);
    const scored = inScoreOrder(weights, [
      { ranks: narrow(names.own(needle)), bonus: wholeBonus(meant, true) },
      { ranks: narrow(names.whole(needle)), bonus: wholeBonus(meant, false) },
      { ranks: narrow(names.airport(needle)), bonus: isCode ? BONUS.airportCode : BONUS.airport },
      { ranks: narrow(typed.wholeInArea(needle)), bonus: BONUS.inArea },
      { ranks: narrow(typed.official(needle)), bonus: BONUS.official },
      { ranks: beginning, bonus: BONUS.ownBeginning },
      { ranks: narrow(typed.beginning(needle)), bonus: BONUS.otherBeginning },
    ]);
    const codedForm = narrow(codes.get(form) ?? NONE);
    const found = union([byPeople(coded), byPeople(codedForm), scored, own.ranks.subarray(own.prefixCount)]);
    if (found.length > 0) return asTyped(found);
    const bare = withoutPostcode(needle);
    if (bare !== needle && bare !== '') return search(bare, { ...query, search: bare }, filter);
    const respelled = typed.respelled(needle, narrow);
    if (respelled.length > 0) return asTyped(respelled);
    const similar = WORDS.test(needle) ? names.similar(needle) : NO_SIMILAR;
    const [wholeOnes, beginnings] = [narrow(similar.whole), narrow(similar.beginning)];
    const likely = likelyNames(needle, { ...similar, whole: wholeOnes, beginning: beginnings }, weights);
    const ranked = inScoreOrder(weights, [
      { ranks: likely.whole, bonus: BONUS.similarWhole },
      { ranks: likely.beginning, bonus: BONUS.similarBeginning },
    ]);
    if (ranked.length > 0) return { numbers: union([ranked]), match: 'similar' };
    return { numbers: byPart(needle, narrow), match: 'part' };
  }

  function byPeople(ranks: Uint32Array): Uint32Array {
    return people === undefined ? ranks : ranks.toSorted((a, b) => (people[b] ?? 0) - (people[a] ?? 0));
  }

  /** Returns the ranks of a needle for which the index has them ready. */
  function readyBy(needle: string): Uint32Array {
    let ranks = ready.get(needle);
    if (ranks === undefined) {
      ranks = ngrams.find(needle).ranks;
      // Needles with hits are finite.
      if (ranks.length > 0) ready.set(needle, ranks);
    }
    return ranks;
  }

  const inRows = (filter: RankFilter) => asTyped(rowsAt(filter.narrow(filter.ranks), order).sort());

  return {
    /** Finds locations. @param needle the folded text of the query */
    find(query: SearchQuery<Filter>, needle: string): RankHits {
      const { alternateNames = false, ids: given, search: text = '' } = query;
      let filter = filterOf(query);
      if (given !== undefined) {
        const found = given.flatMap((id) => [...ranksOfId(id), ...ranksOfId(doubles[id]?.[0] ?? Number.NaN)]);
        const ranks = Uint32Array.from(new Set(found)).sort();
        filter = filterTo(filter?.narrow(ranks) ?? ranks);
        return needle === '' ? inRows(filter) : search(needle, query, filter);
      }
      if (needle === '' && filter === undefined) return { numbers: undefined };
      if (filter === undefined && !alternateNames && ngrams.isReady(needle) && !codes.has(needle)) {
        const ranks = readyBy(needle);
        if (ranks.length > 0) return asTyped(ranks);
      }
      const key = `${alternateNames && CODE.test(text)}${alternateNames}\n${needle}\n${filters.map(({ name }) => query[name] ?? '').join('\n')}`;
      let hits = known.get(key);
      if (hits === undefined) {
        hits = needle === '' && filter ? inRows(filter) : search(needle, query, filter);
        known.set(key, hits);
      }
      return hits;
    },
    /** Returns whether the name or a code at a rank has the needle. */
    isNamed: (rank: number, needle: string): boolean =>
      ngrams.texts(rank).some((text) => text.includes(needle)) || (codes.get(needle)?.includes(rank) ?? false),
    /** Returns the ids of locations whose code or name equals a folded text, or whose name begins with it unless whole ones are wanted. */
    idsCalled(name: string, isWhole: boolean): number[] {
      const whole = union([codes.get(looseForm(name)) ?? NONE, names.whole(name)]);
      if (isWhole) return Array.from(whole, (rank) => ids[rank] ?? 0);
      const called = union([whole, names.beginning(name)]);
      return Array.from(called.length > 0 ? called : typed.respelled(name), (rank) => ids[rank] ?? 0);
    },
  };
}

/** Returns the ranks of each code. @param codes of each rank */
function ranksOfCodes(codes: readonly string[][]): Map<string, Uint32Array> {
  const ranks = new Map<string, Uint32Array>();
  for (const [rank, own] of codes.entries()) {
    for (const code of own) ranks.set(code, Uint32Array.of(...(ranks.get(code) ?? []), rank));
  }
  return ranks;
}
