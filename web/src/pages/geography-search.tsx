import { Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import { formatCount } from '../format.ts';
import { Failed, Loading, Nothing } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import classes from './geography.module.css';
import { MoreCities } from './geography-lists.tsx';
import { useCities } from './use-places.ts';

const words = texts.geography;

/** The cities of the world whose name has what is searched for; each leads to its state. */
export function AllCities({ search }: { search: string }) {
  const cities = useCities({ search }, true);
  if (cities.isError) return <Failed error={cities.error} again={() => void cities.refetch()} />;
  if (cities.isPending) return <Loading rows={6} />;
  const found = cities.data.pages.flatMap(({ data }) => data);
  const total = cities.data.pages[0]?.pagination?.totalItems ?? 0;
  return (
    <section aria-label={words.cities} aria-busy={cities.isPlaceholderData}>
      <Text role="status" my="sm" data-testid="found">
        {words.found(formatCount(total), search)}
      </Text>
      {total === 0 ? (
        <Nothing title={texts.states.nothing} hint={texts.states.nothingHint} />
      ) : (
        <Paper withBorder>
          <ul className={classes.results}>
            {found.map((city) => (
              <li key={city.id}>
                <Link
                  className={classes.item ?? ''}
                  data-item
                  href={`/geography?country=${city.countryId}&state=${city.stateId}`}
                >
                  <bdi className={classes.name}>{city.name}</bdi>
                  <span className={classes.count}>
                    <bdi>{city.state.name}</bdi>, <bdi>{city.country.name}</bdi>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <MoreCities cities={cities} shown={found.length} total={total} />
        </Paper>
      )}
    </section>
  );
}
