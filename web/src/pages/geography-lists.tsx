import type { UseQueryResult } from '@tanstack/react-query';
import { memo, useEffect, useRef, useState } from 'react';
import { fold } from '../../../src/lib/text-folding.ts';
import { isolated } from '../isolated.ts';
import { Pending } from '../parts/states.tsx';
import { t } from '../translate.ts';
import classes from './geography.module.css';
import { CityDetails, CityName, Column, Item, type ItemProps, MoreCities, Note, tabStop } from './geography-column.tsx';
import { isSimilar, useCities, useCountries, useStates } from './use-geography.ts';

const CITY_PAGE = 100;

interface DivisionsProps<Division> {
  title: string;
  found: UseQueryResult<Division[]>;
  chosen: number | undefined;
  /** Returns whether a division matches the folded filter. */
  matches: (division: Division, needle: string) => boolean;
  item: (division: Division) => Pick<ItemProps, 'href' | 'flag' | 'depth' | 'type' | 'count'>;
  /** The text of a list without any. */
  none?: string;
}

/** The countries, or the states of one, that match a filter. */
function Divisions<Division extends { id: number; name: string }>(props: DivisionsProps<Division>) {
  const { title, found, chosen, matches, item, none = t('Nothing matches') } = props;
  const [filter, setFilter] = useState('');
  const needle = fold(filter);
  const shown = found.data?.filter((division) => matches(division, needle));
  // Clears the filter when one is selected by other means, so that it is visible.
  useEffect(() => setFilter(''), [chosen]);
  return (
    <Column title={title} filter={filter} setFilter={setFilter} total={found.data?.length}>
      <Pending of={found} rows={8} />
      <ul className={classes.items}>
        {shown?.map((division) => (
          <Item
            key={division.id}
            name={division.name}
            {...item(division)}
            isChosen={division.id === chosen}
            isTabStop={division.id === tabStop(shown, chosen)}
          />
        ))}
      </ul>
      {shown?.length === 0 && <Note>{found.data?.length === 0 ? none : t('Nothing matches')}</Note>}
    </Column>
  );
}

interface CountriesProps {
  chosen: number | undefined;
  isDetailed: boolean;
}

export const Countries = memo(function Countries({ chosen, isDetailed }: CountriesProps) {
  return (
    <Divisions
      title={t('Countries')}
      found={useCountries(isDetailed)}
      chosen={chosen}
      matches={({ name, iso2, iso3 }, needle) =>
        fold(name).includes(needle) || [iso2, iso3].some((code) => code.toLowerCase() === needle)
      }
      item={({ id, flag, _count }) => ({
        ...{ href: `/geography?country=${id}`, flag },
        count: t('{states, plural, one {# state} other {# states}}, {cities, plural, one {# city} other {# cities}}', {
          states: _count.states,
          cities: _count.cities,
        }),
      })}
    />
  );
});

interface StatesProps {
  countryId: number | undefined;
  chosen: number | undefined;
}

export const States = memo(function States({ countryId, chosen }: StatesProps) {
  const found = useStates(countryId);
  if (countryId === undefined)
    return <Column title={t('States')}>{<Note>{t('Choose a country to see its states.')}</Note>}</Column>;
  return (
    <Divisions
      {...{ title: t('States'), found, chosen, none: t('The data knows no states of this country.') }}
      matches={({ name, stateCode }, needle) => [name, stateCode].some((text) => fold(text).includes(needle))}
      item={({ id, type, depth, cities }) => ({
        ...{ href: `/geography?country=${countryId}&state=${id}`, depth, type },
        count: t('{cities, plural, one {# city} other {# cities}}', { cities }),
      })}
    />
  );
});

interface CitiesProps {
  countryId: number | undefined;
  stateId: number | undefined;
  /** The initial filter of the list. */
  city: string;
  isDetailed: boolean;
}

export const Cities = memo(function Cities({ countryId, stateId, city, isDetailed }: CitiesProps) {
  const [filter, setFilter] = useState(city);
  const box = useRef<HTMLInputElement>(null);
  // After a search for a city the keyboard continues here.
  useEffect(() => {
    if (city !== '') box.current?.focus();
  }, [city]);
  const search = filter.trim();
  const isChosen = countryId !== undefined && stateId !== undefined;
  const query = { stateId: stateId ?? 0, ...(search === '' ? {} : { search }), isDetailed };
  const cities = useCities(query, CITY_PAGE, isChosen);
  if (!isChosen) return <Column title={t('Cities')}>{<Note>{t('Choose a state to see its cities.')}</Note>}</Column>;
  const shown = cities.data?.pages.flatMap(({ data }) => data);
  const total = cities.data?.pages[0]?.pagination?.totalItems ?? 0;
  return (
    <Column title={t('Cities')} filter={filter} setFilter={setFilter} box={box} total={cities.data && total}>
      <Pending of={cities} rows={8} />
      {isSimilar(shown) && (
        <Note>{t('No city has “{text}” in its name. Did you mean one of these?', { text: isolated(search) })}</Note>
      )}
      <ul className={classes.items}>
        {shown?.map((city) => (
          <li key={city.id}>
            <span className={classes.item} data-item tabIndex={-1}>
              <CityName city={city} search={search} />
              <CityDetails {...city} />
            </span>
          </li>
        ))}
      </ul>
      {shown?.length === 0 && (
        <Note>{search === '' ? t('The data knows no cities of this state.') : t('Nothing matches')}</Note>
      )}
      {shown && (
        <MoreCities
          shown={shown.length}
          total={total}
          isLoading={cities.isFetchingNextPage}
          load={cities.fetchNextPage}
        />
      )}
    </Column>
  );
});
