import { Text, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { fold } from '../../../src/lib/text-folding.ts';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { isEnter } from '../parts/arrow-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { letterOf, takesText } from '../parts/keys.ts';
import { corporateCompanies, hasPlatformAccess, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { KeysHelp } from './keys-help.tsx';
import { GO_ANYWHERE } from './page-names.ts';
import classes from './palette.module.css';
import { useFound } from './palette-hits.ts';
import { type Entry, useActs } from './palette-pages.ts';

/** The command palette (Ctrl+K or menu): pages, acts, and what the user may see. `/` focuses the search of the current page, `?` lists the keys. */
export function Palette() {
  const [shown, setShown] = useState<'palette' | 'keys'>();
  const close = () => setShown(undefined);
  useWindowEvent(GO_ANYWHERE, ({ detail }: CustomEvent) => setShown(detail === 'keys' ? 'keys' : 'palette'));
  useWindowEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    const opensPalette = (ctrlKey || metaKey) && !altKey && !shiftKey && letterOf(event) === 'k';
    // Not over another dialog: what is typed in that would be lost.
    const isOver = document.querySelector('[role=dialog]') !== null;
    if (opensPalette) event.preventDefault();
    if (opensPalette && !isOver) return setShown('palette');
    if (isOver || ctrlKey || metaKey || altKey || takesText(target)) return;
    const search = document.querySelector<HTMLInputElement>('main input[type=search]');
    if (key !== '?' && (key !== '/' || !search)) return;
    event.preventDefault();
    if (key === '?') setShown('keys');
    else search?.focus();
  });
  return (
    <>
      <Dialog title={t('Go to')} isOpen={shown === 'palette'} close={close} closesOutside>
        <PaletteSearch close={close} showKeys={() => setShown('keys')} />
      </Dialog>
      <Dialog title={t('Keys of the console')} isOpen={shown === 'keys'} close={close} closesOutside>
        <KeysHelp />
      </Dialog>
    </>
  );
}

/** The id of the list of hits, and of one of them. */
const LIST = 'palette-hits';
const idOf = (index: number) => `${LIST}-${index}`;

function isMeant({ name, words = '' }: Entry, needle: string): boolean {
  return fold(name).includes(needle) || words.split(',').some((word) => fold(word.trim()).startsWith(needle));
}

function PaletteSearch({ close, showKeys }: { close: () => void; showKeys: () => void }) {
  const profile = useProfile().data?.profile;
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [isEntered, setEntered] = useState(false);
  const [active, setActive] = useState(0);
  const needle = fold(typed.trim());
  const here = useActs(profile, showKeys).filter((entry) => isMeant(entry, needle));
  const { found, company, isSettled } = useFound(profile, typed.trim());
  const entries = [...here, ...found];
  const chosen = entries[active] ?? entries[0];
  const go = ({ act, href }: Entry) => {
    close();
    if (act) act();
    else navigate(href);
  };
  // Enter opens the marked entry of the text that is typed: hits of an earlier text do not count.
  const isReady = isEntered && (active < here.length || isSettled);
  useEffect(() => {
    if (!isReady) return;
    setEntered(false);
    if (chosen) go(chosen);
  }, [isReady]);
  const move = (event: KeyboardEvent) => {
    if (isEnter(event)) return setEntered(true);
    const steps: Readonly<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const next = steps[event.key];
    if (next === undefined || entries.length === 0) return;
    event.preventDefault();
    const index = (next + entries.length) % entries.length;
    setActive(index);
    document.getElementById(idOf(index))?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <TextInput
        type="search"
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={LIST}
        aria-autocomplete="list"
        {...(chosen && { 'aria-activedescendant': idOf(entries.indexOf(chosen)) })}
        label={labelOf(profile, company)}
        value={typed}
        onChange={(event) => {
          setEntered(false);
          setActive(0);
          setTyped(event.currentTarget.value);
        }}
        onKeyDown={move}
        autoComplete="off"
        data-autofocus
        mb="sm"
      />
      <div className={classes.entries} id={LIST} role="listbox" aria-label={t('Go to')} aria-busy={!isSettled}>
        {entries.map((entry, index) => (
          <Link
            key={`${entry.href} ${entry.name}`}
            href={entry.href}
            id={idOf(index)}
            role="option"
            aria-selected={entry === chosen}
            tabIndex={-1}
            onClick={(event) => {
              if (entry.act) event.preventDefault();
              close();
              entry.act?.();
            }}
          >
            <bdi>{entry.name}</bdi>{' '}
            {entry.more !== undefined && (
              <Text span size="sm" c="dimmed" ms={8}>
                <bdi>{entry.more}</bdi>
              </Text>
            )}
          </Link>
        ))}
      </div>
      <Text size="sm" role="status">
        {isSettled &&
          typed !== '' &&
          (entries.length === 0
            ? t('Nothing found')
            : t('{count, plural, one {# hit} other {# hits}}', { count: entries.length }))}
      </Text>
    </>
  );
}

/** Returns the label of the search box. @param company see {@link useFound} */
function labelOf(profile: Person | undefined, company: string | undefined): string {
  if (company !== undefined) return t('A page, a company or a person of {company}', { company: isolated(company) });
  if (profile && hasPlatformAccess(profile)) return t('A page, a company or a person');
  return profile && corporateCompanies(profile).length > 0
    ? t('A page, a person, a department or a policy')
    : t('A page');
}
