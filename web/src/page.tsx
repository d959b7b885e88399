import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import type { Person } from './api/types.ts';
import { BookingsPage } from './pages/bookings.tsx';
import { CompaniesPage } from './pages/companies.tsx';
import { CompanyDetailsPage } from './pages/company.tsx';
import { BandsPage, DepartmentsPage } from './pages/departments.tsx';
import { EntityPage } from './pages/entity-resource.tsx';
import { GeographyPage } from './pages/geography.tsx';
import { HistoryPage } from './pages/history.tsx';
import { KeysPage } from './pages/keys.tsx';
import { ChartPage, DepartmentTreePage } from './pages/organisation.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { PeoplePage } from './pages/people.tsx';
import { PersonPage } from './pages/person.tsx';
import { PoliciesPage } from './pages/policies.tsx';
import { PolicyPage } from './pages/policy.tsx';
import { ProfilePage } from './pages/profile.tsx';
import { WebhookPage } from './pages/webhook.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { Notices } from './parts/notices.tsx';
import { LoadingPage } from './parts/states.tsx';
import { Expired } from './session/expired.tsx';
import { failPart } from './shell/boundary.tsx';
import { Guarded } from './shell/guarded.tsx';
import type { PageName } from './shell/page-names.ts';
import { Palette } from './shell/palette.tsx';

type PageProps = { profile: Person; id?: string };

/** Returns a page with a chunk of its own: most visits do not need it. */
function lazyPage(load: () => Promise<ComponentType<PageProps>>) {
  const Loaded = lazy(async () => ({ default: await load().catch(failPart) }));
  return (props: PageProps) => (
    <Suspense fallback={<LoadingPage />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** With the readers of files and dates. */
const ImportPeoplePage = lazyPage(async () => (await import('./pages/import-people.tsx')).ImportPeoplePage);
const DirectoriesPage = lazyPage(async () => (await import('./pages/directories.tsx')).DirectoriesPage);
const ConnectionsPage = lazyPage(async () => (await import('./pages/connections.tsx')).ConnectionsPage);
const MailsPage = lazyPage(async () => (await import('./pages/mails.tsx')).MailsPage);
const MovesPage = lazyPage(async () => (await import('./pages/moves.tsx')).MovesPage);

type Shown = (profile: Person, id: string | undefined) => ReactNode;

const PAGES: Readonly<Record<Exclude<PageName, 'geography'>, Shown>> = {
  overview: (profile) => <OverviewPage profile={profile} />,
  profile: () => <ProfilePage />,
  people: (caller, id) => {
    if (id === undefined) return <PeoplePage profile={caller} />;
    if (id === 'chart') return <ChartPage profile={caller} />;
    if (id === 'moves') return <MovesPage profile={caller} />;
    if (id === 'mails') return <MailsPage profile={caller} />;
    return id === 'import' ? <ImportPeoplePage profile={caller} /> : <PersonPage {...{ id, caller }} />;
  },
  companies: (caller, id) =>
    id === undefined ? <CompaniesPage profile={caller} /> : <CompanyDetailsPage {...{ id, caller }} />,
  departments: (profile, id) => {
    if (id === 'tree') return <DepartmentTreePage profile={profile} />;
    return id === 'bookings' ? <BookingsPage profile={profile} /> : <DepartmentsPage profile={profile} />;
  },
  bands: (profile) => <BandsPage profile={profile} />,
  policies: (caller, id) => (id === undefined ? <PoliciesPage profile={caller} /> : <PolicyPage {...{ id, caller }} />),
  history: (profile) => <HistoryPage profile={profile} />,
  keys: (profile, id) => {
    if (id === undefined) return <KeysPage profile={profile} />;
    if (id === 'connections') return <ConnectionsPage profile={profile} />;
    return <DirectoriesPage {...{ profile, ...(id === 'directories' ? {} : { id }) }} />;
  },
  resources: (profile, id) => <EntityPage path={id} profile={profile} />,
  webhooks: (profile, id) => (id === undefined ? <WebhooksPage profile={profile} /> : <WebhookPage id={id} />),
};

/** Renders any page of the console except the welcome page, which signed-in users never see. */
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
