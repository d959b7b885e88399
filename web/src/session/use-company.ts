import { useEffect } from 'react';
import { RequestError } from '../api/client.ts';
import type { CompanyDetail, Person } from '../api/types.ts';
import { useAddressState } from '../parts/use-list-state.ts';
import { t } from '../translate.ts';
import { useGets } from './queries.ts';
import { useSession } from './session.tsx';
import { corporateCompanies, isSuperAdmin } from './use-profile.ts';

export interface CompanyChoice {
  /** Empty: all companies. */
  id: string;
  /** Undefined while it loads. */
  name: string | undefined;
  /** Undefined while it loads, and of all companies. */
  currency?: string | null | undefined;
}

/** The company that a page is about, and the user's other choices. */
export interface ChosenCompany {
  companies: CompanyChoice[];
  /** Undefined: the company in the address is not accessible, or none is chosen. */
  chosen: CompanyChoice | undefined;
  choose: (id: string) => void;
}

/** The choice of all companies, and of objects that belong to the platform. */
const ALL: CompanyChoice = { id: '', name: t('All companies') };

/**
 * Returns the company in the address, else the one viewed last, else the user's own.
 *
 * @param hasAll without a company in the address the page is about all companies
 */
export function useCompany(profile: Person, hasAll: boolean): ChosenCompany {
  const { companyId, setCompanyId } = useSession();
  const { value, change } = useAddressState();
  const asked = value('companyId').toLowerCase();
  const held = corporateCompanies(profile);
  const wanted = asked || (hasAll ? undefined : companyId);
  const ids = isSuperAdmin(profile) && wanted && !held.includes(wanted) ? [...held, wanted] : held;
  const found = useGets(
    '/api/companies/get',
    ids.map((id) => ({ id })),
  );
  const open = ids
    .map((id, at) => choiceOf(profile, id, found[at]?.data?.data, found[at]?.error))
    .filter((company) => company !== undefined);
  const companies = hasAll ? [ALL, ...open] : open;
  const chosen = wanted ? companies.find(({ id }) => id === wanted) : companies[0];
  const chosenId = chosen?.id;
  useEffect(() => {
    if (asked !== '' && chosenId === asked) setCompanyId(asked);
  }, [asked, chosenId, setCompanyId]);
  const choose = (id: string) => {
    if (id !== '') setCompanyId(id);
    change({ companyId: id, departmentId: '', bandId: '', search: '' });
  };
  return { companies, chosen, choose };
}

/** Returns a company as a choice, undefined if it is not accessible: to the service a closed company is like an unknown one. */
function choiceOf(
  { company }: Person,
  id: string,
  found: CompanyDetail | undefined,
  error: Error | null | undefined,
): CompanyChoice | undefined {
  if (error instanceof RequestError && error.status >= 400 && error.status < 500 && error.status !== 429)
    return undefined;
  return { id, name: found?.name ?? (id === company.id ? company.name : undefined), currency: found?.currency };
}

/** Returns the names, by id, of the companies in which a user holds a corporate role. */
export function useCompanyNames(profile: Person | undefined): ReadonlyMap<string, string> {
  const ids = profile ? corporateCompanies(profile) : [];
  const found = useGets(
    '/api/companies/get',
    ids.map((id) => ({ id })),
  );
  return new Map(ids.flatMap((id, at) => (found[at]?.data ? [[id, found[at].data.data.name] as const] : [])));
}
