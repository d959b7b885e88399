import { t } from '../translate.ts';

/** The page below which each entity without a page by hand has its list; the navigation does not show it. */
export const RESOURCES = 'resources';

/** The pages of the console, in the order of the navigation. A page's path is its name, and that of its objects lies below it. */
export const PAGE_NAMES = [
  'overview',
  'profile',
  'people',
  'companies',
  'departments',
  'bands',
  'policies',
  'history',
  'keys',
  'webhooks',
  'geography',
  RESOURCES,
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

/** The event that opens the command palette, which is loaded with the pages; with the detail `keys` the list of keys. */
export const GO_ANYWHERE = 'go-anywhere';

export const PAGE_TITLES = {
  overview: t('Overview'),
  profile: t('Profile'),
  people: t('People'),
  companies: t('Companies'),
  company: t('Company'),
  departments: t('Departments'),
  bands: t('Bands'),
  policies: t('Approval policies'),
  history: t('History'),
  keys: t('API keys'),
  webhooks: t('Webhooks'),
  geography: t('Geography'),
  resources: t('Further lists'),
};
