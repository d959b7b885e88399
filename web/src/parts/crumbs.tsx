import { Anchor, Breadcrumbs } from '@mantine/core';
import { Link } from 'wouter';
import { pageTexts } from '../texts-pages.ts';

/** A page above another. */
export interface Crumb {
  href: string;
  label: string;
}

/** The way to the pages above this one. */
export function Crumbs({ of }: { of: readonly Crumb[] }) {
  if (of.length === 0) return null;
  return (
    <Breadcrumbs mb="xs" component="nav" aria-label={pageTexts.lists.above}>
      {of.map(({ href, label }) => (
        <Anchor key={href} component={Link} href={href} size="sm">
          <bdi>{label}</bdi>
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}
