import type { ReactNode } from 'react';
import { CompaniesPage } from './pages/companies.tsx';
import { DepartmentsPage } from './pages/departments.tsx';
import { GeographyPage } from './pages/geography.tsx';
import { PoliciesPage } from './pages/policies.tsx';
import { ProfilePage } from './pages/profile.tsx';
import { Expired } from './session/expired.tsx';
import { Guarded } from './shell/guarded.tsx';
import type { PageName } from './shell/page-names.ts';

const PAGES: Readonly<Record<PageName, ReactNode>> = {
  profile: <Guarded page="profile">{() => <ProfilePage />}</Guarded>,
  companies: <Guarded page="companies">{() => <CompaniesPage />}</Guarded>,
  departments: <Guarded page="departments">{(profile) => <DepartmentsPage profile={profile} />}</Guarded>,
  policies: <Guarded page="policies">{(profile) => <PoliciesPage profile={profile} />}</Guarded>,
  geography: <GeographyPage />,
};

/** A page of the console, but for the first one, which nobody sees who is signed in. */
export function Page({ name }: { name: PageName }) {
  return (
    <>
      {PAGES[name]}
      <Expired />
    </>
  );
}
