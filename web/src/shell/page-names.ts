import { t } from '../translate.ts';

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
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

/** The event that opens the command palette, which is loaded with the pages. */
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
};
