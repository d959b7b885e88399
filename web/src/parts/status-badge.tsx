import { Badge } from '@mantine/core';
import { pageTexts } from '../texts-pages.ts';

/** Whether a person or a company is active. */
export function StatusBadge({ isActive }: { isActive: boolean }) {
  return (
    <Badge variant="light" miw="max-content" color={isActive ? 'green' : 'gray'}>
      {isActive ? pageTexts.companies.active : pageTexts.companies.inactive}
    </Badge>
  );
}
