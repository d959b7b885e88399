import { formatCount, formatPosition } from '../format.ts';
import { pageTexts } from '../texts.ts';
import classes from './geography.module.css';
import { matchedName } from './matched-name.ts';
import type { City } from './use-geography.ts';

const words = pageTexts.geography;

/** Details of a city, if they were requested: population, time zone, location. */
export function CityDetails({ population, timezone, location }: City) {
  const known = [
    population ? words.people(formatCount(population)) : undefined,
    timezone ?? undefined,
    location ? formatPosition(location) : undefined,
  ].filter((text) => text !== undefined);
  return known.length > 0 && <span className={classes.details}>{known.join(' · ')}</span>;
}

/** The name of a city, with the alternate name that matched the search: `Mumbai — Bombay`. */
export function CityName({ city, search }: { city: City; search: string }) {
  const matched = matchedName(search, city.name, city.alternateNames ?? []);
  return (
    <span>
      <bdi className={classes.name}>{city.name}</bdi>
      {matched && (
        <span className={classes.count}>
          {' — '}
          <bdi>{matched}</bdi>
        </span>
      )}
    </span>
  );
}
