/** The pages of the console, in the order in which they are offered; each stands at the path of its name. */
export const PAGE_NAMES = ['profile', 'companies', 'departments', 'policies', 'geography'] as const;

export type PageName = (typeof PAGE_NAMES)[number];
