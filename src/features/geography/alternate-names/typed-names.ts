import { fold } from '../../../lib/text-folding.ts';
import { NONE, sortedUnion } from '../number-lists.ts';
import { withoutKind } from './build.ts';
import { looseForm } from './loose-form.ts';
import type { NameSearch } from './search.ts';

/** Returns those of the ranks that are in an area of that name; none if there is no such area. */
export type AreaFilter = (ranks: Uint32Array, area: string) => Uint32Array;

/** Maximum number of words in an area's name without a comma before it. */
const AREA_WORDS = 4;
const COMMA = /[,،、，/(]/;
const UMLAUT = /[aou]e/g;
/** A postal code before a city, or after it or its state: digits, or the code of Canada or of the United Kingdom. */
const POSTCODE =
  /^\d[\d -]{3,}(?=\p{L})|(?<=^|\p{L}\.?[ ,-]+)(?:\d[\d -]*|[a-z]\d[a-z] ?\d[a-z]\d|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})$/gu;
/** Words for a kind of division or state in many languages, which may precede or follow its name. */
const KIND = looseForm(
  fold(`county co province prov state city republic kingdom canton emirate region district governorate prefecture oblast krai
  kraj department voivodeship municipality parish territory division commonwealth principality islands island autonomous
  islamic federal union special self governing capital provincia provincie estado departamento departement comunidad
  distrito regione land freistaat bundesland kanton cantone etat lan fylke kommune maakond megye judet judetul
  wojewodztwo hlavni mesto il ili vilayet область край περιφερεια νομος محافظة إمارة ولاية منطقة استان राज्य जिला thanh pho
  tinh changwat จังหวัด negeri wilayah wp provinsi kabupaten kota contae ken fu to do si shi sheng`),
).replaceAll(' ', '|');
const KIND_BEFORE = new RegExp(`^(?:the |(?:${KIND})(?: (?:of|de|do|da|di|du|del|d))? )`, 'u');
const KIND_AFTER = new RegExp(` (?:${KIND}|s lan)$`, 'u');
/** What follows a comma, or is in brackets, and is no area: `kingston, city of`, `genoa (city)`. */
const KIND_ALONE = /^(?:city|town|municipality)(?: of)?(?: the)?$/;
/** Kinds that are written as one word with the name. */
const KIND_JOINED = new RegExp(
  `^${fold('จังหวัด')}(?=..)|(?<=..)(?:s lan|${fold('특별자치도|특별자치시|특별시|광역시')})$`,
  'u',
);

/**
 * Finds ranks by what people type: a name, optionally followed by its state or country. Needles are folded.
 *
 * @param areOfficial whether the names have the official forms of states and countries, or those of cities
 */
export function typedNameSearch(names: NameSearch, inArea: AreaFilter, areOfficial: boolean) {
  const formsOf = areOfficial ? officialForms : cityForms;

  /** Returns the ranks of a name that lie in all of the areas; an area of one letter is ignored. */
  function withAreas(find: (name: string) => Uint32Array, [name = '', ...areas]: string[]): Uint32Array {
    const named = areas
      .map((area) => looseForm(withoutPostcode(area)))
      .filter((area) => area.length > 1 && !KIND_ALONE.test(area));
    return named.reduce((ranks, area) => (ranks.length === 0 ? NONE : inArea(ranks, area)), find(name));
  }

  /** Returns the ranks whose whole name is followed by the name of their area, without a comma. */
  function wholeBeforeArea(needle: string): Uint32Array {
    if (cityForms(needle).length > 0) return NONE;
    const words = needle.split(' ');
    for (let count = 1; count <= AREA_WORDS && count < words.length; count++) {
      const [name, area] = [words.slice(0, -count).join(' '), words.slice(-count).join(' ')];
      const found = area.length > 1 ? withAreas(names.whole, [name, area]) : NONE;
      if (found.length > 0) return found;
    }
    return NONE;
  }

  return {
    /** Returns the ranks with a name equal to the needle's part before its area, with a comma or without: `springfield, il`, `dallas tx`. */
    wholeInArea(typed: string): Uint32Array {
      const needle = withoutPostcode(typed);
      return COMMA.test(needle) ? withAreas(names.whole, needle.split(COMMA)) : wholeBeforeArea(needle);
    },
    /** Returns the ranks with a name that begins with the needle or with its part before a comma and their area. */
    beginning: (needle: string) =>
      sortedUnion(names.beginning(needle), COMMA.test(needle) ? withAreas(names.beginning, needle.split(COMMA)) : NONE),
    /**
     * Returns the ranks whose own name is official in the needle: `niger` in `federal republic of niger`, which begins a longer name too.
     * The longest counts: `estado de mexico` in `state of estado de mexico`.
     */
    official(needle: string): Uint32Array {
      const forms = needle.includes(' ') ? formsOf(needle) : [];
      return forms.map(names.own).find(({ length }) => length > 0) ?? NONE;
    },
    /**
     * Returns the ranks with a name that is another spelling of the needle, for needles found nowhere else: an own name comes before another
     * one, and a whole one before the beginning.
     */
    respelled(needle: string, narrow = (ranks: Uint32Array) => ranks): Uint32Array {
      const umlauts = needle.replace(UMLAUT, (letters) => letters.charAt(0));
      const spellings = [...withoutKind(looseForm(needle)), umlauts];
      const forms = [spellings, ...formsOf(needle).map((form) => [form])];
      let found = narrow(names.beginningWithoutSpaces(needle));
      for (const find of [names.own, names.whole, names.beginning]) {
        for (const group of forms) {
          if (found.length > 0) return found;
          const others = group.filter((other) => other !== needle);
          found = narrow(others.map(find).reduce(sortedUnion, NONE));
        }
      }
      return found;
    },
  };
}

/** Returns a text without a postal code at its beginning or end. */
export function withoutPostcode(text: string): string {
  return text
    .trim()
    .replace(POSTCODE, '')
    .replace(/[ -]+$/, '');
}

/** Returns the shorter forms of an official name, the longest first: `county cork` as `cork`, `iran (islamic republic of)` as `iran`. */
function officialForms(needle: string): string[] {
  const [before = '', after] = needle.split(/[,(]/, 2);
  const bare = looseForm(before.trim());
  const inverted = after === undefined ? '' : `${after.replace(/\).*/, '').trim()} ${before.trim()}`;
  const forms = [inverted, inverted.replace(ARTICLE, '')];
  if (after === undefined || OFFICIAL.test(after)) {
    const short = bare.replace(ARTICLE, '').replace(/ the$/, '');
    forms.push(bare);
    for (let form = short, longer = ''; form !== longer; form = form.replace(KIND_AFTER, '')) {
      longer = form;
      forms.push(...withoutKinds(form));
    }
  }
  return [...new Set(forms)].filter((form) => form.length > 1);
}

/** Returns a form, and without each kind before it, one after the other; at last without one that is written as one word with it. */
function withoutKinds(form: string): string[] {
  const shorter = form.replace(KIND_BEFORE, '');
  return shorter === form ? [form, form.replace(KIND_JOINED, '').trim()] : [form, ...withoutKinds(shorter)];
}

/** What surrounds the name of a city where it is official: `city of cork`, `cork city`, `cork (city)`, `cork, city of`. */
const CITY_KIND = /^(?:the )?(?:city|town|municipality) of | (?:city|town|municipality)(?: of)?(?: the)?$/;

function cityForms(needle: string): string[] {
  const form = looseForm(needle);
  return CITY_KIND.test(form) ? [form.replace(CITY_KIND, '')] : [];
}

const ARTICLE = /^the /;
/** The part of an official name that follows the usual one. */
const OFFICIAL =
  /^\s*(?:the|republic|state|kingdom|islamic|plurinational|bolivarian|federated|united|federal|democratic|commonwealth|union|people)\b/;
