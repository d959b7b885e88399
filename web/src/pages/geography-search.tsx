import { Paper, Text } from '@mantine/core';
import { memo, type RefObject, useRef } from 'react';
import { Link } from 'wouter';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Failed, Loading, Nothing } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import { pageTexts } from '../texts-pages.ts';
import { CityDetails } from './city-details.tsx';
import classes from './geography.module.css';
import { MoreCities } from './geography-column.tsx';
import { type CityPages, useCities, useCountries } from './use-places.ts';

const words = pageTexts.geography;
/** A screenful: what is drawn is what takes time at each key. */
const CITIES_AT_ONCE = 15;

/** The cities of the world whose name has what is searched for; each leads to its state. */
export function AllCities({ search, isDetailed, leave }: { search: string; isDetailed: boolean; leave: () => void }) {
  const cities = useCities({ search, isDetailed }, CITIES_AT_ONCE);
  const countries = useCountries(isDetailed).data;
  const leaving = useRef(leave);
  leaving.current = leave;
  if (cities.isError) return <Failed error={cities.error} again={() => void cities.refetch()} />;
  if (cities.isPending) return <Loading rows={1} />;
  const { pages } = cities.data;
  const [first] = pages;
  const total = first?.pagination?.totalItems ?? 0;
  return (
    <section aria-label={words.cities} aria-busy={cities.isPlaceholderData}>
      <Text role="status" my="sm" data-testid="found">
        {words.found(formatCount(total), isolated(first?.search ?? ''))}
      </Text>
      {total === 0 ? (
        <Nothing title={texts.states.nothing} hint={texts.states.nothingHint} />
      ) : (
        <Paper withBorder>
          <Hits pages={pages} countries={countries} leaving={leaving} />
          <MoreCities cities={cities} shown={pages.reduce((sum, { data }) => sum + data.length, 0)} total={total} />
        </Paper>
      )}
    </section>
  );
}

interface HitsProps {
  pages: CityPages;
  /** Where their flags are. */
  countries: ReturnType<typeof useCountries>['data'];
  leaving: RefObject<() => void>;
}

/** Drawn where other hits come, and not at each key already. */
const Hits = memo(function Hits({ pages, countries, leaving }: HitsProps) {
  const flags = new Map(countries?.map(({ id, flag }) => [id, flag]));
  return (
    <ul className={classes.results}>
      {pages
        .flatMap(({ data }) => data)
        .map((city) => (
          <li key={city.id}>
            <Link
              className={classes.item ?? ''}
              data-item
              href={`/geography?${new URLSearchParams({ country: String(city.countryId), state: String(city.stateId), city: city.name })}`}
              onClick={() => leaving.current()}
            >
              <bdi className={classes.name}>{city.name}</bdi>
              <span className={classes.count}>
                {flags.get(city.countryId) && <span aria-hidden>{flags.get(city.countryId)} </span>}
                <bdi>{city.state.name}</bdi>, <bdi>{city.country.name}</bdi>
              </span>
              <CityDetails {...city} />
            </Link>
          </li>
        ))}
    </ul>
  );
});
