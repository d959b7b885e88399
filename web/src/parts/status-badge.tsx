import { Badge } from '@mantine/core';
import { pageTexts } from '../texts-pages.ts';

/** Stands at a person or a company that is inactive; most are active, which needs no word. */
export function StatusBadge({ isActive }: { isActive: boolean }) {
  if (isActive) return null;
  return (
    <Badge variant="light" miw="max-content" color="gray">
      {pageTexts.companies.inactive}
    </Badge>
  );
}
