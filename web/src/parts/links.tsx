import { Anchor, Breadcrumbs, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Change } from '../api/types.ts';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { companyQuery } from '../session/use-company.ts';
import { pageTexts, texts, keyTexts as words } from '../texts.ts';
import type { Column } from './data-table.tsx';

/** A company's name as a link to its page. @param id null: all companies */
export function CompanyLink({ id }: { id: string | null }) {
  const { client, userId } = useSession();
  const found = useQuery({ ...companyQuery(client, userId, id ?? ''), enabled: id !== null });
  if (id === null) return pageTexts.lists.allCompanies;
  return (
    <Anchor component={Link} href={`/companies/${id}`} inherit>
      <bdi>{found.data?.data.name ?? id}</bdi>
    </Anchor>
  );
}

/** The column that names the company, in a list of all companies. */
export const COMPANY_COLUMN: Column<{ companyId: string | null }> = {
  name: pageTexts.lists.company,
  show: ({ companyId }) => <CompanyLink id={companyId} />,
  text: ({ companyId }) => companyId ?? '',
};

/** A person's name as a link to their page. @param id null: the actor was a command of the operator */
export function PersonLink({ id }: { id: string | null }) {
  const { client, userId } = useSession();
  const found = useQuery({
    queryKey: ownKey(userId, 'person', id),
    queryFn: ({ signal }) => client.read('/api/users/get', { id: id ?? '' }, signal),
    staleTime: 300_000,
    retry: false,
    enabled: id !== null,
  });
  if (id === null) return words.madeByCommand;
  if (found.isPending) return '…';
  if (!found.data) return words.madeByUnknown;
  const { firstName, lastName } = found.data.data;
  return (
    <Anchor component={Link} href={`/people/${id}`} inherit>
      <bdi>{`${firstName} ${lastName}`}</bdi>
    </Anchor>
  );
}

/** A button at the head of a page that leads to the history of its person, company or object. */
export function HistoryButton({ query }: { query: Readonly<Record<string, string>> }) {
  return (
    <Button component={Link} href={`/history?${new URLSearchParams(query)}`} variant="default" data-screen-only>
      {texts.pages.history}
    </Button>
  );
}

/** A link to the history of one object, in a list or a form. */
export function HistoryLink({ entity, id, name }: { entity: Change['entity']; id: string; name: string }) {
  return (
    <Anchor
      component={Link}
      href={`/history?${new URLSearchParams({ entity, entityId: id })}`}
      size="sm"
      aria-label={`${texts.pages.history}: ${name}`}
      data-screen-only
    >
      {texts.pages.history}
    </Anchor>
  );
}

/** A page above the current one. */
export interface Crumb {
  href: string;
  label: string;
}

/** Returns the breadcrumbs to a company's page, for staff of the platform. */
export function companyCrumbs({ id, name }: { id: string; name: string | undefined }): Crumb[] {
  return [
    { href: '/companies', label: texts.pages.companies },
    { href: `/companies/${id}`, label: name ?? '…' },
  ];
}

/** Breadcrumbs to the pages above the current one. */
export function Crumbs({ of }: { of: readonly Crumb[] }) {
  if (of.length === 0) return null;
  return (
    <Breadcrumbs data-screen-only mb="xs" component="nav" aria-label={pageTexts.lists.above}>
      {of.map(({ href, label }) => (
        <Anchor key={href} component={Link} href={href} size="sm" lh="sm">
          {/* Overrides the style of the list, which keeps each breadcrumb on one line. */}
          <bdi style={{ whiteSpace: 'normal' }}>{label}</bdi>
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}
