import type { Profile } from '../api/client.ts';
import { corporateCompanies, hasPlatformAccess } from '../session/use-profile.ts';
import { PAGE_NAMES, type PageName } from './page-names.ts';

/** Whether the service lets somebody see a page's data, as it says itself in src/auth/access-table.ts; undefined: nobody is signed in. */
export function mayOpen(page: PageName, profile: Profile | undefined): boolean {
  if (page === 'geography') return true;
  if (profile === undefined) return false;
  if (page === 'companies') return hasPlatformAccess(profile);
  return page === 'profile' || corporateCompanies(profile).length > 0;
}

/** The pages that somebody is offered. */
export function pagesFor(profile: Profile | undefined): PageName[] {
  return PAGE_NAMES.filter((page) => mayOpen(page, profile));
}
