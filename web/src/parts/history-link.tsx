import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Change } from '../api/types.ts';
import { texts } from '../texts.ts';

/** Leads to what was changed of one thing, by whom. */
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
