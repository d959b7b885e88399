import { Anchor, Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Change } from '../api/types.ts';
import { texts } from '../texts.ts';

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
