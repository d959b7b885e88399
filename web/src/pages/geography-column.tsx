import { Button, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { formatCount, formatPosition } from '../format.ts';
import { Dimmed } from '../parts/text.tsx';
import { t } from '../translate.ts';
import classes from './geography.module.css';
import { matchedName } from './matched-name.ts';
import type { City } from './use-geography.ts';

interface ColumnProps {
  title: string;
  filter?: string;
  setFilter?: (filter: string) => void;
  /** The input of the filter. */
  box?: RefObject<HTMLInputElement | null>;
  total?: number | undefined;
  children: ReactNode;
}

/** One of the lists from countries to cities, with a filter. */
export function Column({ title, filter, setFilter, box, total, children }: ColumnProps) {
  return (
    <Paper withBorder className={classes.column} data-list={title}>
      <Group justify="space-between" px="sm" pt="sm" align="baseline">
        <Title order={2} size="h5">
          {title}
        </Title>
        {total !== undefined && <Dimmed>{formatCount(total)}</Dimmed>}
      </Group>
      {setFilter && (
        <TextInput
          type="search"
          ref={box}
          size="sm"
          m="sm"
          aria-label={t('Filter {name}', { list: title, name: title.toLowerCase() })}
          placeholder={t('Filter {name}', { list: title, name: title.toLowerCase() })}
          value={filter ?? ''}
          onChange={(event) => setFilter(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={title}>
        {children}
      </section>
    </Paper>
  );
}

export interface ItemProps {
  href: string;
  /** An emoji. */
  flag?: string | null | undefined;
  name: string;
  /** How many others contain it. */
  depth?: number;
  /** The kind of division, in English. */
  type?: string | null | undefined;
  count: string;
  isChosen: boolean;
  /** Roving tabindex: the tab key stops at one item of a list, from which the arrow keys move on. */
  isTabStop: boolean;
}

export function Item({ href, flag, name, depth, type, count, isChosen, isTabStop }: ItemProps) {
  const item = useRef<HTMLLIElement>(null);
  // Scrolls the selected item into view, whether it was selected by a link, a search or Back.
  useEffect(() => {
    if (!isChosen) return;
    // After a search the lists have to be laid out first.
    const frame = requestAnimationFrame(() => {
      const list = item.current?.closest('section');
      if (!item.current || !list) return;
      const [own, around] = [item.current.getBoundingClientRect(), list.getBoundingClientRect()];
      if (own.top >= around.top && own.bottom <= around.bottom) return;
      list.scrollTop += own.top - around.top - list.clientHeight / 2;
    });
    return () => cancelAnimationFrame(frame);
  }, [isChosen]);
  return (
    <li ref={item}>
      <Link
        href={href}
        className={classes.item ?? ''}
        data-item
        data-depth={depth}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isChosen ? 'true' : undefined}
      >
        <span className={classes.name}>
          {flag && <span aria-hidden>{flag} </span>}
          <bdi>{name}</bdi>
        </span>
        <span className={classes.count}>
          {type && <span lang="en">{`${type} · `}</span>}
          {count}
        </span>
      </Link>
    </li>
  );
}

/** Returns the id of the tab stop of a list: the selected item, otherwise the first. */
export function tabStop(shown: readonly { id: number }[], chosen: number | undefined): number | undefined {
  return shown.some(({ id }) => id === chosen) ? chosen : shown[0]?.id;
}

export function Note({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" p="md" ta="center" role="status">
      {children}
    </Text>
  );
}

interface MoreProps {
  shown: number;
  total: number;
  isLoading: boolean;
  load: () => unknown;
}

/** How many cities of a long list are shown, and a button to load more. */
export function MoreCities({ shown, total, isLoading, load }: MoreProps) {
  if (shown >= total) return null;
  return (
    <Group p="sm" justify="space-between">
      <Text size="sm">{t('{shown} of {total}', { shown: formatCount(shown), total: formatCount(total) })}</Text>
      <Button size="xs" variant="default" data-item loading={isLoading} onClick={() => void load()}>
        {t('Show more')}
      </Button>
    </Group>
  );
}

/** Details of a city, if they were requested: population, time zone, location. */
export function CityDetails({ population, timezone, location }: City) {
  const known = [
    population ? t('{count, plural, one {# person} other {# people}}', { count: population }) : undefined,
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
