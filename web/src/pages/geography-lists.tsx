import { Button, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { fold } from '../../../src/lib/text-folding.ts';
import { formatCount } from '../format.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import classes from './geography.module.css';
import { useCities, useCountries, useStates } from './use-places.ts';

const words = texts.geography;

export function Countries({ chosen }: { chosen: number | undefined }) {
  const [filter, setFilter] = useState('');
  const countries = useCountries();
  const needle = fold(filter);
  const shown = countries.data?.filter(
    ({ name, iso2, iso3 }) => fold(name).includes(needle) || [iso2, iso3].some((code) => code.toLowerCase() === needle),
  );
  return (
    <Column title={words.countries} filter={filter} setFilter={setFilter} total={countries.data?.length}>
      {countries.isError && <Failed error={countries.error} again={() => void countries.refetch()} />}
      {countries.isPending && <Loading rows={8} />}
      <ul className={classes.items}>
        {shown?.map(({ id, name, _count }) => (
          <Item
            key={id}
            href={`/geography?country=${id}`}
            name={name}
            count={words.counts(formatCount(_count.states), formatCount(_count.cities))}
            isChosen={id === chosen}
          />
        ))}
      </ul>
      {shown?.length === 0 && <Note>{texts.states.nothing}</Note>}
    </Column>
  );
}

export function States({ countryId, chosen }: { countryId: number | undefined; chosen: number | undefined }) {
  const [filter, setFilter] = useState('');
  const states = useStates(countryId);
  if (countryId === undefined) return <Column title={words.states}>{<Note>{words.chooseCountry}</Note>}</Column>;
  const needle = fold(filter);
  const shown = states.data?.filter((state) =>
    [state.name, state.stateCode].some((text) => fold(text).includes(needle)),
  );
  return (
    <Column title={words.states} filter={filter} setFilter={setFilter} total={states.data?.length}>
      {states.isError && <Failed error={states.error} again={() => void states.refetch()} />}
      {states.isPending && <Loading rows={8} />}
      <ul className={classes.items}>
        {shown?.map(({ id, name, _count }) => (
          <Item
            key={id}
            href={`/geography?country=${countryId}&state=${id}`}
            name={name}
            count={words.cityCount(formatCount(_count.cities))}
            isChosen={id === chosen}
          />
        ))}
      </ul>
      {shown?.length === 0 && <Note>{states.data?.length === 0 ? words.noStates : texts.states.nothing}</Note>}
    </Column>
  );
}

export function Cities({ countryId, stateId }: { countryId: number | undefined; stateId: number | undefined }) {
  const [filter, setFilter] = useState('');
  const [search] = useDebouncedValue(filter.trim(), 250);
  const isChosen = countryId !== undefined && stateId !== undefined;
  const cities = useCities({ stateId: stateId ?? 0, ...(search === '' ? {} : { search }) }, isChosen);
  if (!isChosen) return <Column title={words.cities}>{<Note>{words.chooseState}</Note>}</Column>;
  const shown = cities.data?.pages.flatMap(({ data }) => data);
  const total = cities.data?.pages[0]?.pagination?.totalItems ?? 0;
  return (
    <Column title={words.cities} filter={filter} setFilter={setFilter} total={cities.data && total}>
      {cities.isError && <Failed error={cities.error} again={() => void cities.refetch()} />}
      {cities.isPending && <Loading rows={8} />}
      <ul className={classes.items}>
        {shown?.map(({ id, name }) => (
          <li key={id}>
            <span className={classes.item} data-item tabIndex={-1}>
              <bdi>{name}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {shown?.length === 0 && <Note>{search === '' ? words.noCities : texts.states.nothing}</Note>}
      {shown && shown.length > 0 && <MoreCities cities={cities} shown={shown.length} total={total} />}
    </Column>
  );
}

interface ColumnProps {
  title: string;
  filter?: string;
  setFilter?: (filter: string) => void;
  total?: number | undefined;
  children: ReactNode;
}

function Column({ title, filter, setFilter, total, children }: ColumnProps) {
  return (
    <Paper withBorder className={classes.column} data-list={title}>
      <Group justify="space-between" px="sm" pt="sm" align="baseline">
        <Title order={2} size="h5">
          {title}
        </Title>
        {total !== undefined && (
          <Text size="sm" c="dimmed">
            {formatCount(total)}
          </Text>
        )}
      </Group>
      {setFilter && (
        <TextInput
          type="search"
          size="sm"
          m="sm"
          aria-label={words.filter(title)}
          placeholder={words.filter(title)}
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

function Item({ href, name, count, isChosen }: { href: string; name: string; count: string; isChosen: boolean }) {
  return (
    <li>
      <Link href={href} className={classes.item ?? ''} data-item aria-current={isChosen ? 'true' : undefined}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.count}>{count}</span>
      </Link>
    </li>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" p="md" ta="center" role="status">
      {children}
    </Text>
  );
}

/** How much of a long list is shown, and the way to more of it. */
export function MoreCities({
  cities,
  shown,
  total,
}: {
  cities: Pick<ReturnType<typeof useCities>, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
  shown: number;
  total: number;
}) {
  if (!cities.hasNextPage) return null;
  return (
    <Group p="sm" justify="space-between">
      <Text size="sm">{words.shown(formatCount(shown), formatCount(total))}</Text>
      <Button
        size="xs"
        variant="default"
        data-item
        loading={cities.isFetchingNextPage}
        onClick={() => void cities.fetchNextPage()}
      >
        {words.more}
      </Button>
    </Group>
  );
}
