import { Anchor, Breadcrumbs } from '@mantine/core';
import { Link } from 'wouter';
import { pageTexts, texts } from '../texts.ts';

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
