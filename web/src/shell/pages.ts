import type { Person } from '../api/types.ts';
import { administers, corporateCompanies, hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import { PAGE_NAMES, type PageName, RESOURCES } from './page-names.ts';

/**
 * Returns whether the service lets a user read a page's data, as in src/auth/access-table.ts.
 *
 * @param profile undefined: nobody is signed in
 */
export function mayOpen(page: PageName, profile: Person | undefined, id?: string): boolean {
  if (page === 'geography') return true;
  if (profile === undefined) return false;
  const isCorporate = corporateCompanies(profile).length > 0;
  switch (page) {
    case 'profile':
    case 'history':
      return true;
    case 'companies':
      return hasPlatformAccess(profile) || (id !== undefined && isCorporate);
    case 'keys':
    case 'webhooks':
      return isSuperAdmin(profile) || corporateCompanies(profile).some((company) => administers(profile, company));
    case 'overview':
      return isCorporate || hasPlatformAccess(profile);
    case 'people':
      return isSuperAdmin(profile) || isCorporate;
    default:
      return isCorporate;
  }
}

export interface PageLink {
  page: Exclude<PageName, typeof RESOURCES>;
  href: string;
}

/** Returns the pages in a user's navigation. Users with a corporate role get their company's page instead of the list of companies. */
export function linksFor(profile: Person | undefined): PageLink[] {
  return PAGE_NAMES.flatMap((page) => {
    const href = `/${page}`;
    if (page === RESOURCES) return [];
    // People of other companies belong under their company's page.
    if (page === 'people' && profile && corporateCompanies(profile).length === 0) return [];
    if (mayOpen(page, profile)) return [{ page, href }];
    const [company] = page === 'companies' && profile ? corporateCompanies(profile) : [];
    return company === undefined ? [] : [{ page, href: `${href}/${company}` }];
  });
}
