import { Anchor, Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Change } from '../api/types.ts';
import { texts } from '../texts.ts';

/** Leads to what was changed of a person, a company or one thing, beside the buttons at the head of its page. */
export function HistoryButton({ query }: { query: Readonly<Record<string, string>> }) {
  return (
    <Button component={Link} href={`/history?${new URLSearchParams(query)}`} variant="default" data-screen-only>
      {texts.pages.history}
    </Button>
  );
}

/** The same of one thing in a list or a form. */
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
