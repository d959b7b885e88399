import type { ReactNode } from 'react';
import type { Person } from './api/types.ts';
import { BandsPage } from './pages/bands.tsx';
import { CompaniesPage } from './pages/companies.tsx';
import { CompanyDetailsPage } from './pages/company.tsx';
import { DepartmentsPage } from './pages/departments.tsx';
import { GeographyPage } from './pages/geography.tsx';
import { HistoryPage } from './pages/history.tsx';
import { ImportPeoplePage } from './pages/import-people.tsx';
import { KeysPage } from './pages/keys.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { PeoplePage } from './pages/people.tsx';
import { PersonPage } from './pages/person.tsx';
import { PoliciesPage } from './pages/policies.tsx';
import { PolicyPage } from './pages/policy.tsx';
import { ProfilePage } from './pages/profile.tsx';
import { WebhookPage } from './pages/webhook.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { Notices } from './parts/notices.tsx';
import { Expired } from './session/expired.tsx';
import { Guarded } from './shell/guarded.tsx';
import type { PageName } from './shell/page-names.ts';
import { Palette } from './shell/palette.tsx';

type Shown = (profile: Person, id: string | undefined) => ReactNode;

const PAGES: Readonly<Record<Exclude<PageName, 'geography'>, Shown>> = {
  overview: (profile) => <OverviewPage profile={profile} />,
  profile: () => <ProfilePage />,
  people: (caller, id) => {
    if (id === undefined) return <PeoplePage profile={caller} />;
    return id === 'import' ? <ImportPeoplePage profile={caller} /> : <PersonPage {...{ id, caller }} />;
  },
  companies: (caller, id) =>
    id === undefined ? <CompaniesPage profile={caller} /> : <CompanyDetailsPage {...{ id, caller }} />,
  departments: (profile) => <DepartmentsPage profile={profile} />,
  bands: (profile) => <BandsPage profile={profile} />,
  policies: (caller, id) => (id === undefined ? <PoliciesPage profile={caller} /> : <PolicyPage {...{ id, caller }} />),
  history: (profile) => <HistoryPage profile={profile} />,
  keys: (profile) => <KeysPage profile={profile} />,
  webhooks: (profile, id) => (id === undefined ? <WebhooksPage profile={profile} /> : <WebhookPage id={id} />),
};

/** A page of the console, but for the first one, which nobody sees who is signed in. */
export function Page({ name, id }: { name: PageName; id: string | undefined }) {
  return (
    <>
      {name === 'geography' ? (
        <GeographyPage />
      ) : (
        <Guarded page={name} id={id}>
          {(profile) => PAGES[name](profile, id)}
        </Guarded>
      )}
      <Expired />
      <Notices />
      <Palette />
    </>
  );
}
