import { Anchor, Switch, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { moveByArrows } from '../parts/arrow-keys.ts';
import { SearchBox } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { Dimmed } from '../parts/text.tsx';
import { useAddressState, useTyped } from '../parts/use-list-state.ts';
import { t } from '../translate.ts';
import classes from './geography.module.css';
import { Cities, Countries, States } from './geography-lists.tsx';
import { AllCities, CITIES_SHOWN } from './geography-search.tsx';
import { useCitiesAhead } from './use-geography.ts';

/** Countries, their states and cities, and a search in all cities from the first key press. Public. */
export function GeographyPage() {
  const { value } = useAddressState();
  const search = useTyped('search');
  const typed = search.typed.trim();
  const countryId = idFrom(value('country'));
  const stateId = idFrom(value('state'));
  const city = value('city');
  const [isDetailed, setDetailed] = useState(false);
  const askAhead = useCitiesAhead();
  const type = (text: string) => {
    if (text.trim() !== '') askAhead({ search: text.trim(), isDetailed }, CITIES_SHOWN);
    search.type(text);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus among the links and buttons in it
    <div onKeyDown={moveByArrows}>
      <Head isDetailed={isDetailed} setDetailed={setDetailed} />
      <div className={classes.search} data-list="all">
        <SearchBox
          search={{ ...search, type }}
          label={t('Search all cities')}
          hint={t('Any city, such as bogota or são paulo')}
        />
        {typed !== '' && <AllCities search={typed} isDetailed={isDetailed} leave={search.leave} />}
      </div>
      <div className={classes.columns} hidden={typed !== ''}>
        <Countries chosen={countryId} isDetailed={isDetailed} />
        <States key={countryId} countryId={countryId} chosen={stateId} />
        <Cities
          key={`${stateId} ${city}`}
          countryId={countryId}
          stateId={stateId}
          city={city}
          isDetailed={isDetailed}
        />
      </div>
      <About />
    </div>
  );
}

interface HeadProps {
  isDetailed: boolean;
  setDetailed: (isDetailed: boolean) => void;
}

/** Memoised like {@link About}, so that they do not render at each key press. */
const Head = memo(function Head({ isDetailed, setDetailed }: HeadProps) {
  return (
    <>
      <PageHead title={t('Geography')} lead={t('Countries, their states and their cities. Anyone may look here.')} />
      <Switch
        mb="sm"
        label={t('Show flags, populations, time zones and places')}
        checked={isDetailed}
        onChange={(event) => setDetailed(event.currentTarget.checked)}
      />
    </>
  );
});

const About = memo(function About() {
  return (
    <>
      <Dimmed mt="md">
        {t('Arrow keys move within a list, from a search into it and from list to list; Enter chooses.')}
      </Dimmed>
      <Text size="sm" c="dimmed" mt="xs" component="footer">
        {t('Cities, states and countries come from the')}{' '}
        <Anchor
          href="https://github.com/dr5hn/countries-states-cities-database"
          rel="noreferrer"
          inherit
          underline="always"
        >
          {t('Countries States Cities Database')}
        </Anchor>
        {t(', made available under the')}{' '}
        <Anchor href="https://opendatacommons.org/licenses/odbl/1-0/" rel="noreferrer" inherit underline="always">
          {t('Open Database License (ODbL) 1.0')}
        </Anchor>
        . {t('Populations come from')}{' '}
        <Anchor href="https://www.geonames.org" rel="noreferrer" inherit underline="always">
          {t('GeoNames')}
        </Anchor>
        ,{' '}
        <Anchor href="https://creativecommons.org/licenses/by/4.0/" rel="noreferrer" inherit underline="always">
          {t('CC BY 4.0')}
        </Anchor>
        .
      </Text>
    </>
  );
});

function idFrom(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
