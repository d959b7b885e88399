import { formatCount, formatPosition } from '../format.ts';
import { pageTexts } from '../texts-pages.ts';
import classes from './geography.module.css';
import type { City } from './use-places.ts';

const words = pageTexts.geography;

/** What else is known of a city, where it was asked for: people, time zone, place. */
export function CityDetails({ population, timezone, location }: City) {
  const known = [
    population ? words.people(formatCount(population)) : undefined,
    timezone ?? undefined,
    location ? formatPosition(location) : undefined,
  ].filter((text) => text !== undefined);
  return known.length > 0 && <span className={classes.details}>{known.join(' · ')}</span>;
}
