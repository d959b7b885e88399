import type { Person } from '../api/types.ts';
import { administers, corporateCompanies, hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import { PAGE_NAMES, type PageName } from './page-names.ts';

/** Whether the service lets somebody see a page's data, as it says itself in src/auth/access-table.ts; undefined: nobody is signed in. */
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
    case 'people':
      return isSuperAdmin(profile) || isCorporate;
    default:
      return isCorporate;
  }
}

export interface PageLink {
  page: PageName;
  href: string;
}

/** The pages that somebody is offered. Whoever is responsible for a company has its page for that of all of them. */
export function linksFor(profile: Person | undefined): PageLink[] {
  return PAGE_NAMES.flatMap((page) => {
    const href = `/${page}`;
    // The people of others' companies stand on the companies' pages.
    if (page === 'people' && profile && corporateCompanies(profile).length === 0) return [];
    if (mayOpen(page, profile)) return [{ page, href }];
    const [company] = page === 'companies' && profile ? corporateCompanies(profile) : [];
    return company === undefined ? [] : [{ page, href: `${href}/${company}` }];
  });
}
