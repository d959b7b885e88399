import { Badge } from '@mantine/core';
import { pageTexts } from '../texts.ts';

/** A badge for inactive people and companies; the usual active ones get none. */
export function StatusBadge({ isActive }: { isActive: boolean }) {
  if (isActive) return null;
  return (
    <Badge variant="light" miw="max-content" color="gray">
      {pageTexts.companies.inactive}
    </Badge>
  );
}
