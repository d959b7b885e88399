import { memo, useEffect, useRef, useState } from 'react';
import { fold } from '../../../src/lib/text-folding.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { pageTexts, texts } from '../texts.ts';
import classes from './geography.module.css';
import { CityDetails, CityName, Column, Item, MoreCities, Note, tabStop } from './geography-column.tsx';
import { isSimilar, useCities, useCountries, useStates } from './use-geography.ts';

const words = pageTexts.geography;
const CITY_PAGE = 100;

interface CountriesProps {
  chosen: number | undefined;
  isDetailed: boolean;
}

export const Countries = memo(function Countries({ chosen, isDetailed }: CountriesProps) {
  const [filter, setFilter] = useState('');
  const countries = useCountries(isDetailed);
  const needle = fold(filter);
  const shown = countries.data?.filter(
    ({ name, iso2, iso3 }) => fold(name).includes(needle) || [iso2, iso3].some((code) => code.toLowerCase() === needle),
  );
  // Clears the filter when a country is selected by other means, so that it is visible.
  useEffect(() => setFilter(''), [chosen]);
  return (
    <Column title={words.countries} filter={filter} setFilter={setFilter} total={countries.data?.length}>
      {countries.isError && <Failed error={countries.error} retry={() => void countries.refetch()} />}
      {countries.isPending && <Loading rows={8} />}
      <ul className={classes.items}>
        {shown?.map(({ id, flag, name, _count }) => (
          <Item
            key={id}
            href={`/geography?country=${id}`}
            flag={flag}
            name={name}
            count={words.counts(formatCount(_count.states), formatCount(_count.cities))}
            isChosen={id === chosen}
            isTabStop={id === tabStop(shown, chosen)}
          />
        ))}
      </ul>
      {shown?.length === 0 && <Note>{texts.states.nothing}</Note>}
    </Column>
  );
});

interface StatesProps {
  countryId: number | undefined;
  chosen: number | undefined;
}

export const States = memo(function States({ countryId, chosen }: StatesProps) {
  const [filter, setFilter] = useState('');
  const states = useStates(countryId);
  if (countryId === undefined) return <Column title={words.states}>{<Note>{words.chooseCountry}</Note>}</Column>;
  const needle = fold(filter);
  const shown = states.data?.filter((state) =>
    [state.name, state.stateCode].some((text) => fold(text).includes(needle)),
  );
  return (
    <Column title={words.states} filter={filter} setFilter={setFilter} total={states.data?.length}>
      {states.isError && <Failed error={states.error} retry={() => void states.refetch()} />}
      {states.isPending && <Loading rows={8} />}
      <ul className={classes.items}>
        {shown?.map(({ id, name, type, depth, cities }) => (
          <Item
            key={id}
            href={`/geography?country=${countryId}&state=${id}`}
            name={name}
            depth={depth}
            type={type}
            count={words.cityCount(formatCount(cities))}
            isChosen={id === chosen}
            isTabStop={id === tabStop(shown, chosen)}
          />
        ))}
      </ul>
      {shown?.length === 0 && <Note>{states.data?.length === 0 ? words.noStates : texts.states.nothing}</Note>}
    </Column>
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
  if (!isChosen) return <Column title={words.cities}>{<Note>{words.chooseState}</Note>}</Column>;
  const shown = cities.data?.pages.flatMap(({ data }) => data);
  const total = cities.data?.pages[0]?.pagination?.totalItems ?? 0;
  return (
    <Column title={words.cities} filter={filter} setFilter={setFilter} box={box} total={cities.data && total}>
      {cities.isError && <Failed error={cities.error} retry={() => void cities.refetch()} />}
      {cities.isPending && <Loading rows={8} />}
      {isSimilar(shown) && <Note>{words.similar(isolated(search))}</Note>}
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
      {shown?.length === 0 && <Note>{search === '' ? words.noCities : texts.states.nothing}</Note>}
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
