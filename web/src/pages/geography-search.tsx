import { Paper, Text } from '@mantine/core';
import { memo, type RefObject, useRef } from 'react';
import { Link } from 'wouter';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Failed, Loading, Nothing } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import classes from './geography.module.css';
import { MoreCities } from './geography-column.tsx';
import { type CityPages, useCities } from './use-places.ts';

const words = texts.geography;
/** A screenful: what is drawn is what takes time at each key. */
const CITIES_AT_ONCE = 15;

/** The cities of the world whose name has what is searched for; each leads to its state. */
export function AllCities({ search, leave }: { search: string; leave: () => void }) {
  const cities = useCities({ search }, CITIES_AT_ONCE);
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
          <Hits pages={pages} leaving={leaving} />
          <MoreCities cities={cities} shown={pages.reduce((sum, { data }) => sum + data.length, 0)} total={total} />
        </Paper>
      )}
    </section>
  );
}

interface HitsProps {
  pages: CityPages;
  leaving: RefObject<() => void>;
}

/** Drawn where other hits come, and not at each key already. */
const Hits = memo(function Hits({ pages, leaving }: HitsProps) {
  return (
    <ul className={classes.results}>
      {pages
        .flatMap(({ data }) => data)
        .map(({ id, name, countryId, stateId, state, country }) => (
          <li key={id}>
            <Link
              className={classes.item ?? ''}
              data-item
              href={`/geography?${new URLSearchParams({ country: String(countryId), state: String(stateId), city: name })}`}
              onClick={() => leaving.current()}
            >
              <bdi className={classes.name}>{name}</bdi>
              <span className={classes.count}>
                <bdi>{state.name}</bdi>, <bdi>{country.name}</bdi>
              </span>
            </Link>
          </li>
        ))}
    </ul>
  );
});
