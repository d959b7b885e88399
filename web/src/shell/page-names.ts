/** The pages of the console, in the order in which they are offered; each stands at the path of its name, what it has one of below. */
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
