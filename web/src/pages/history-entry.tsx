import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { NamedChange } from '../api/types.ts';
import { formatCount, formatExactly, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import type { PageName } from '../shell/page-names.ts';
import { historyTexts as words } from '../texts.ts';
import classes from './history.module.css';
import { entryText, type HistoryEntry, mainOf } from './history-groups.ts';
import { fieldTexts, sentenceOf, subjectName } from './history-sentences.ts';
import { HISTORY_LOCALE } from './history-values.ts';

/** Entities whose objects have pages, and the page above these. */
const OWN_PAGES: Partial<Record<NamedChange['entity'], PageName>> = {
  user: 'people',
  company: 'companies',
  approvalPolicy: 'policies',
  webhook: 'webhooks',
};

/** Returns the address of an object's own page; undefined if its entity has none. */
export function ownPage(entity: NamedChange['entity'], id: string): string | undefined {
  return OWN_PAGES[entity] && `/${OWN_PAGES[entity]}/${encodeURIComponent(id)}`;
}

/** A date-time; the tooltip adds seconds and zone. */
export function Moment({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatExactly(iso)} className={classes.moment}>
      {formatMoment(iso)}
    </time>
  );
}

/** An entry as a sentence, which expands to its details. */
export function Entry({ entry }: { entry: HistoryEntry }) {
  const { changes } = entry;
  const [first, ...others] = changes;
  const main = others.length === 0 ? first : mainOf(changes);
  return (
    <div className={classes.entry}>
      <Sentence text={entryText(entry, HISTORY_LOCALE, formatCount)} of={main ?? first} isOfOne={main !== undefined} />
      {others.length > 0 ? <Changes changes={changes} /> : <Values change={first} />}
    </div>
  );
}

function Changes({ changes }: { changes: readonly NamedChange[] }) {
  return (
    <details>
      <summary>{words.showAll(formatCount(changes.length))}</summary>
      <ul>
        {changes.map((change) => (
          <li key={change.id}>
            <Sentence text={sentenceOf(change, HISTORY_LOCALE)} of={change} isOfOne />
            <Values change={change} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The values of an added or removed object; for other changes the sentence tells them. */
function Values({ change }: { change: NamedChange }) {
  const isTold = change.action === 'changed' || ['companyRole', 'systemRole'].includes(change.entity);
  if (isTold || change.changes.length === 0) return null;
  return (
    <details>
      <summary>{words.details}</summary>
      <ul>
        {fieldTexts(change, HISTORY_LOCALE).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

interface SentenceProps {
  text: string;
  of: NamedChange;
  /** Whether the sentence is about this change only, so that it may link to the changed object. */
  isOfOne: boolean;
}

/** A sentence with links: from the actor to their other changes, and from the changed object to its page. */
function Sentence({ text, of: change, isOfOne }: SentenceProps) {
  const { actor, actorName } = change;
  const actorId = actor.userId ?? actor.keyId;
  const links = [
    { name: actorName, href: actorId ? `/history?actorId=${actorId}` : undefined },
    { name: isOfOne ? subjectName(change) : null, href: hrefOf(change) },
  ];
  return (
    <Text component="div" inherit>
      {text.split(/(\u2068[^\u2069]*\u2069)/).map((part, at) => {
        // The first match: users may have changed themselves.
        const next = links.findIndex(({ name }) => name !== null && part === isolated(name));
        const [link] = next < 0 ? [] : links.splice(next, 1);
        const name = part.replace(/[\u2068\u2069]/g, '');
        const key = `${at} ${part}`;
        if (link?.href === undefined) return part.startsWith('\u2068') ? <bdi key={key}>{name}</bdi> : part;
        return (
          <Anchor key={key} component={Link} href={link.href} inherit>
            <bdi>{name}</bdi>
          </Anchor>
        );
      })}
    </Text>
  );
}

/** Returns the address of the changed person or object; undefined if it has no page or is gone. */
function hrefOf({ entity, action, userId, entityId }: NamedChange): string | undefined {
  if (userId !== null) return ownPage('user', userId);
  return action === 'removed' ? undefined : ownPage(entity, entityId);
}
