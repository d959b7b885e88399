import { Paper, Text } from '@mantine/core';
import { type MouseEvent, memo, type RefObject, useRef } from 'react';
import { useLocation } from 'wouter';
import { BASE_PATH } from '../base-path.ts';
import { isolated } from '../isolated.ts';
import { hasModifier } from '../parts/arrow-keys.ts';
import { Failed, LoadingLate, Nothing } from '../parts/states.tsx';
import { t } from '../translate.ts';
import classes from './geography.module.css';
import { CityDetails, CityName, MoreCities } from './geography-column.tsx';
import { type CityPages, isSimilar, useCities, useCountries } from './use-geography.ts';
/** About a screenful: rendering dominates the time of each key press. */
export const CITIES_SHOWN = 15;

/** The cities of the world with a name that matches the search; each links to its state. */
export function AllCities({ search, isDetailed, leave }: { search: string; isDetailed: boolean; leave: () => void }) {
  const cities = useCities({ search, isDetailed }, CITIES_SHOWN);
  const countries = useCountries(isDetailed).data;
  const onLeave = useRef(leave);
  onLeave.current = leave;
  if (cities.isError) return <Failed error={cities.error} retry={() => void cities.refetch()} />;
  if (cities.isPending) return <LoadingLate rows={1} />;
  return (
    <section aria-label={t('Cities')} aria-busy={cities.isPlaceholderData}>
      <Found
        pages={cities.data.pages}
        countries={countries}
        onLeave={onLeave}
        isLoading={cities.isFetchingNextPage}
        load={cities.fetchNextPage}
      />
    </section>
  );
}

interface FoundProps {
  pages: CityPages;
  /** The source of the flags. */
  countries: ReturnType<typeof useCountries>['data'];
  onLeave: RefObject<() => void>;
  isLoading: boolean;
  load: () => unknown;
}

/** Memoised: renders when the result changes, not at each key press. */
const Found = memo(function Found({ pages, countries, onLeave, isLoading, load }: FoundProps) {
  const [first] = pages;
  const total = first?.pagination?.totalItems ?? 0;
  const flags = new Map(countries?.map(({ id, flag }) => [id, flag]));
  const hits = pages.flatMap(({ data }) => data);
  const [, navigate] = useLocation();
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest('a');
    // With a modifier key or another button the browser follows the link.
    if (!link || hasModifier(event) || event.button !== 0) return;
    event.preventDefault();
    onLeave.current();
    navigate(`~${link.getAttribute('href')}`);
  };
  return (
    <>
      <Text role="status" my="sm" data-testid="found">
        {isSimilar(hits)
          ? t('No city has “{text}” in its name. Did you mean one of these?', { text: isolated(first?.search ?? '') })
          : t('{count, plural, one {# city} other {# cities}} with “{text}” in the name', {
              count: total,
              text: isolated(first?.search ?? ''),
            })}
      </Text>
      {total === 0 ? (
        <Nothing title={t('Nothing matches')} hint={t('Try another spelling, or fewer words.')} />
      ) : (
        <Paper withBorder>
          {/* One handler for all: a router link per hit would delay the first key press. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by a key is clicked */}
          <ul className={classes.results} onClick={follow}>
            {/* Keyed by index, so that new hits reuse the elements, which is faster than creating them. */}
            {hits.map((city, index) => (
              <li key={index}>
                <a
                  className={classes.item ?? ''}
                  data-item
                  href={`${BASE_PATH}/geography?${new URLSearchParams({ country: String(city.countryId), state: String(city.stateId), city: city.name })}`}
                >
                  <CityName city={city} search={first?.search ?? ''} />
                  <span className={classes.count}>
                    {flags.get(city.countryId) && <span aria-hidden>{flags.get(city.countryId)} </span>}
                    <bdi>{city.state.name}</bdi>, <bdi>{city.country.name}</bdi>
                  </span>
                  <CityDetails {...city} />
                </a>
              </li>
            ))}
          </ul>
          <MoreCities shown={hits.length} total={total} isLoading={isLoading} load={load} />
        </Paper>
      )}
    </>
  );
});
