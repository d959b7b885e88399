import { NativeSelect } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'wouter';
import type { Person } from '../api/types.ts';
import { Icon } from '../parts/icons.tsx';
import { useSignOut } from '../session/import-drafts.tsx';
import { keep } from '../storage.ts';
import { LANGUAGE_KEY, LANGUAGES, language, t } from '../translate.ts';
import { GO_ANYWHERE, PAGE_TITLES } from './page-names.ts';
import classes from './shell.module.css';

/** The id of the menu, by which its buttons open and close it. */
const MENU = 'account';
const closing = { popoverTarget: MENU, popoverTargetAction: 'hide' } as const;

/** The menu of the signed-in user. @param of undefined while the profile loads */
export function Account({ of: profile }: { of: Person | undefined }) {
  const menu = useRef<HTMLDivElement>(null);
  const signOut = useSignOut();
  const name = profile && `${profile.firstName} ${profile.lastName}`;
  return (
    <>
      <button
        type="button"
        className={classes.person}
        aria-label={name ? t('Account: {name}', { name }) : t('Account')}
        popoverTarget={MENU}
      >
        <bdi>{name}</bdi>
        <Icon name="profile" />
      </button>
      <div id={MENU} popover="auto" className={classes.menu} ref={menu}>
        <ul className={classes.links}>
          <li>
            <Link href="/profile" onClick={() => menu.current?.hidePopover()}>
              <Icon name="profile" />
              {PAGE_TITLES.profile}
            </Link>
          </li>
          <li>
            <button
              type="button"
              {...closing}
              onClick={() => dispatchEvent(new CustomEvent(GO_ANYWHERE, { detail: 'keys' }))}
            >
              <Icon name="help" />
              {t('Keys of the console')}
            </button>
          </li>
          <li>
            <button type="button" {...closing} onClick={signOut}>
              <Icon name="out" />
              {t('Sign out')}
            </button>
          </li>
        </ul>
        <NativeSelect
          label={t('Language')}
          mt="xs"
          data={LANGUAGES.map((value) => ({
            value,
            label: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
          }))}
          value={language}
          onChange={(event) => {
            keep('localStorage', LANGUAGE_KEY, { language: event.currentTarget.value });
            location.reload();
          }}
        />
      </div>
    </>
  );
}
