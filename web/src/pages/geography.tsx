import { Anchor, Switch, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { moveByArrows } from '../parts/arrow-keys.ts';
import { SearchBox } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { useAddressState, useTyped } from '../parts/use-list-state.ts';
import { pageTexts, texts } from '../texts.ts';
import classes from './geography.module.css';
import { Cities, Countries, States } from './geography-lists.tsx';
import { AllCities, CITIES_SHOWN } from './geography-search.tsx';
import { useCitiesAhead } from './use-geography.ts';

const words = pageTexts.geography;

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
        <SearchBox search={{ ...search, type }} label={words.searchAll} hint={words.searchAllHint} />
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
      <PageHead title={texts.pages.geography} lead={words.lead} />
      <Switch
        mb="sm"
        label={words.details}
        checked={isDetailed}
        onChange={(event) => setDetailed(event.currentTarget.checked)}
      />
    </>
  );
});

const About = memo(function About() {
  return (
    <>
      <Text size="sm" c="dimmed" mt="md">
        {words.keys}
      </Text>
      <Text size="sm" c="dimmed" mt="xs" component="footer">
        {words.notice}{' '}
        <Anchor
          href="https://github.com/dr5hn/countries-states-cities-database"
          rel="noreferrer"
          inherit
          underline="always"
        >
          {words.source}
        </Anchor>
        {words.under}{' '}
        <Anchor href="https://opendatacommons.org/licenses/odbl/1-0/" rel="noreferrer" inherit underline="always">
          {words.licence}
        </Anchor>
        . {words.populations}{' '}
        <Anchor href="https://www.geonames.org" rel="noreferrer" inherit underline="always">
          {words.populationsSource}
        </Anchor>
        ,{' '}
        <Anchor href="https://creativecommons.org/licenses/by/4.0/" rel="noreferrer" inherit underline="always">
          {words.populationsLicence}
        </Anchor>
        .
      </Text>
    </>
  );
});

function idFrom(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
