import { Anchor, Breadcrumbs } from '@mantine/core';
import { Link } from 'wouter';
import { texts } from '../texts.ts';
import { pageTexts } from '../texts-pages.ts';

/** A page above another. */
export interface Crumb {
  href: string;
  label: string;
}

/** To a company's page, for those who look after all of them. */
export function companyCrumbs({ id, name }: { id: string; name: string | undefined }): Crumb[] {
  return [
    { href: '/companies', label: texts.pages.companies },
    { href: `/companies/${id}`, label: name ?? '…' },
  ];
}

/** The way to the pages above this one. */
export function Crumbs({ of }: { of: readonly Crumb[] }) {
  if (of.length === 0) return null;
  return (
    <Breadcrumbs data-screen-only mb="xs" component="nav" aria-label={pageTexts.lists.above}>
      {of.map(({ href, label }) => (
        <Anchor key={href} component={Link} href={href} size="sm" lh="sm">
          {/* Its own style is the list's, which keeps each in one line. */}
          <bdi style={{ whiteSpace: 'normal' }}>{label}</bdi>
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}
