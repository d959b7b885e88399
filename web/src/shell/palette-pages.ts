import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { Person } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { describedLists } from '../pages/entity-pages.ts';
import { TO_OPEN } from '../parts/dialog.tsx';
import { useSignOut } from '../session/import-drafts.tsx';
import { administers, corporateCompanies, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { PAGE_TITLES } from './page-names.ts';
import { linksFor } from './pages.ts';

/** What the palette leads to, or does. */
export interface Entry {
  href: string;
  name: string;
  /** Distinguishes it from others of the same name. */
  more?: string;
  /** Everyday words for it, separated by commas. */
  words?: string;
  /** What it does instead of leading somewhere. */
  act?: () => void;
}

/** The words by which pages are looked for, besides their titles. */
const WORDS: Readonly<Record<string, string>> = {
  '/overview': t('dashboard, home, figures, spending, budget'),
  '/profile': t('my data, substitute, away, holiday, phone, address, password, language'),
  '/people': t('users, employees, staff, roles, permissions, administrator, export, download'),
  '/companies': t('customers, credit, payment, currency, time zone'),
  '/departments': t('budget, cost code, team'),
  '/bands': t('grade, level, limit'),
  '/policies': t('rules, approver, limit, who approves'),
  '/history': t('audit, log, changes, who changed'),
  '/keys': t('token, secret, program, permissions, integration'),
  '/webhooks': t('events, notifications, integration'),
  '/geography': t('country, city, airport'),
};

const OF_ADMINS: readonly Entry[] = [
  { href: '/people/import', name: t('Import people'), words: t('upload, csv, excel, spreadsheet, joiners') },
  {
    href: '/keys/connections',
    name: t('Sign-in connections'),
    words: t('sso, single sign-on, login, sign-in, connection, identity provider, password, okta'),
  },
  {
    href: '/keys/directories',
    name: t('Directories and groups'),
    words: t('directory, scim, provisioning, entra, group, role, permissions'),
  },
  { href: '/people/moves', name: t('Moves between companies'), words: t('transfer, change of company') },
  { href: '/people/mails', name: t('Mails'), words: t('e-mail, invitation, invite') },
];

const OF_COMPANIES: readonly Entry[] = [
  { href: '/people/chart', name: t('Organisation chart'), words: t('tree, hierarchy, manager, reports') },
  { href: '/departments/tree', name: t('Department tree'), words: t('hierarchy, structure, budget') },
  { href: '/departments/bookings', name: t('Bookings'), words: t('spending, trips, expenses, costs, export') },
];

/** Returns the pages that the user may open, and what they may do. */
export function useActs(profile: Person | undefined, showKeys: () => void): Entry[] {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const signOut = useSignOut();
  const pages = linksFor(profile).map(({ page, href }): Entry => {
    const words = WORDS[`/${page}`] ?? '';
    return { href, name: href === `/${page}` ? PAGE_TITLES[page] : t('Company'), words };
  });
  const adds = (page: string, name: string) => ({ href: `/${page}?${TO_OPEN}=${encodeURIComponent(name)}`, name });
  const held = profile ? corporateCompanies(profile) : [];
  const isAdmin = profile && held.some((id) => administers(profile, id));
  return [
    ...pages,
    ...(held.length > 0 ? [...OF_COMPANIES, ...describedLists()] : []),
    ...(held.length > 0 && profile
      ? [{ href: `/people?managerId=${profile.id}`, name: t('My people'), words: t('team, reports') }]
      : []),
    ...(isAdmin
      ? [
          ...OF_ADMINS,
          adds('people', t('Add a person')),
          adds('departments', t('Add a department')),
          adds('bands', t('Add a band')),
          adds('policies', t('Add an approval policy')),
          adds('keys', t('Create API key')),
          adds('webhooks', t('Add a webhook')),
        ]
      : []),
    ...(profile && isSuperAdmin(profile) ? [adds('companies', t('Add a company'))] : []),
    {
      ...{ href: '#', name: other === 'light' ? t('Use light colours') : t('Use dark colours') },
      act: () => setColorScheme(other),
    },
    { href: '#', name: t('Keys of the console'), words: t('help, keyboard, shortcuts'), act: showKeys },
    {
      ...{ href: '#', name: t('API reference'), words: t('help, documentation, guide, support') },
      act: () => void open(`${BASE_PATH}/docs`, '_blank', 'noreferrer'),
    },
    { href: '#', name: t('Sign out'), words: t('log out, leave'), act: signOut },
  ];
}
