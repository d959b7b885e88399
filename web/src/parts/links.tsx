import { Anchor, type AnchorProps, Breadcrumbs, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Change } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { useGet } from '../session/queries.ts';
import { t } from '../translate.ts';
import type { Column } from './data-table.tsx';

/** A link within a text, isolated from its writing direction. */
export function TextLink({
  href,
  children,
  size,
  ...props
}: AnchorProps & { href: string; children: ReactNode; tabIndex?: number }) {
  return (
    <Anchor
      component={Link}
      href={href}
      inherit={size === undefined}
      {...(size === undefined ? {} : { size })}
      {...props}
    >
      <bdi>{children}</bdi>
    </Anchor>
  );
}

interface MoreProps {
  /** The first page of a list, or the number of what is not shown. */
  of: number | { data: readonly unknown[]; pagination: { totalItems: number } };
  /** The page of the whole list; absent: there is none. */
  href?: string;
}

/** Shows how many more a list has than the rows above, with a link to all. */
export function More({ of, href }: MoreProps) {
  const count = typeof of === 'number' ? of : of.pagination.totalItems - of.data.length;
  if (count <= 0) return null;
  const text = t('and {count} more', { count: formatCount(count) });
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {href === undefined ? (
        text
      ) : (
        <TextLink href={href} underline="always">
          {text}
        </TextLink>
      )}
    </Text>
  );
}

/** A company's name as a link to its page. @param id null: all companies */
export function CompanyLink({ id }: { id: string | null }) {
  const found = useGet('/api/companies/get', id !== null ? { id: id ?? '' } : undefined);
  if (id === null) return t('All companies');
  return <TextLink href={`/companies/${id}`}>{found.data?.data.name ?? id}</TextLink>;
}

/** The column that names the company, in a list of all companies. */
export const COMPANY_COLUMN: Column<{ companyId: string | null }> = {
  name: t('Company'),
  show: ({ companyId }) => <CompanyLink id={companyId} />,
  text: ({ companyId }) => companyId ?? '',
};

/** A person's name as a link to their page. @param id null: the actor was a command of the operator */
export function PersonLink({ id }: { id: string | null }) {
  const found = useGet('/api/users/get', id !== null ? { id: id ?? '' } : undefined, {
    staleTime: 300_000,
    retry: false,
  });
  if (id === null) return t('Command line');
  if (found.isPending) return '…';
  if (!found.data) return t('Platform staff');
  const { firstName, lastName } = found.data.data;
  return <TextLink href={`/people/${id}`}>{`${firstName} ${lastName}`}</TextLink>;
}

/** A button at the head of a page that leads to another one. */
export function LinkButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Button component={Link} href={href} variant="default" data-screen-only>
      {children}
    </Button>
  );
}

/** A button that leads to the history of a person, company or object. */
export function HistoryButton({ query }: { query: Readonly<Record<string, string>> }) {
  return <LinkButton href={`/history?${new URLSearchParams(query)}`}>{t('History')}</LinkButton>;
}

/** A link to the history of one object, in a list or a form. */
export function HistoryLink({ entity, id, name }: { entity: Change['entity']; id: string; name: string }) {
  return (
    <TextLink
      href={`/history?${new URLSearchParams({ entity, entityId: id })}`}
      size="sm"
      aria-label={`${t('History')}: ${name}`}
      data-screen-only
    >
      {t('History')}
    </TextLink>
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
    { href: '/companies', label: t('Companies') },
    { href: `/companies/${id}`, label: name ?? '…' },
  ];
}

/** Breadcrumbs to the pages above the current one. */
export function Crumbs({ of }: { of: readonly Crumb[] }) {
  if (of.length === 0) return null;
  return (
    <Breadcrumbs data-screen-only mb="xs" component="nav" aria-label={t('Pages above this one')}>
      {of.map(({ href, label }) => (
        <Anchor key={href} component={Link} href={href} size="sm" lh="sm">
          {/* Overrides the style of the list, which keeps each breadcrumb on one line. */}
          <bdi style={{ whiteSpace: 'normal' }}>{label}</bdi>
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}
