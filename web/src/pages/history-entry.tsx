import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ChangeGroup, NamedChange } from '../api/types.ts';
import { formatExactly, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { TextLink } from '../parts/links.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { useMoney } from '../session/money.tsx';
import { useGet } from '../session/queries.ts';
import { t } from '../translate.ts';
import { ownPage } from './entity-pages.ts';
import classes from './history.module.css';
import { filtersOf } from './history-filters.tsx';
import { fieldTexts, groupText, isOfOne, sentenceOf, sizeOf, subjectName } from './history-sentences.ts';
import { historyLocale } from './history-values.ts';

/** Changes of a request that are shown below its sentence. */
const SHOWN = 25;

/** A date-time; the tooltip adds seconds and zone. */
export function Moment({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatExactly(iso)} className={classes.moment}>
      {formatMoment(iso)}
    </time>
  );
}

/** A request or import as a sentence, which opens to its changes. */
export function Entry({ group }: { group: ChangeGroup }) {
  const { main } = group;
  const locale = historyLocale(useMoney());
  return (
    <div className={classes.entry}>
      <Sentence text={groupText(group, locale)} of={main} isOfOne={isOfOne(group)} />
      {sizeOf(group) > 1 ? <Changes group={group} /> : <Values change={main} />}
    </div>
  );
}

/** A single change as a sentence. */
export function SingleEntry({ change }: { change: NamedChange }) {
  const locale = historyLocale(useMoney());
  return (
    <div className={classes.entry}>
      <Sentence text={sentenceOf(change, locale)} of={change} isOfOne />
      <Values change={change} />
    </div>
  );
}

/** The first changes of a request, read when they are opened, and a link to the page of all. */
function Changes({ group }: { group: ChangeGroup }) {
  const [isOpen, setOpen] = useState(false);
  const filters = filtersOf(useAddressState());
  const query = { ...filters, requestId: group.id, page: 1, limit: SHOWN };
  const found = useGet('/api/audit/list', isOpen ? query : undefined);
  const count = sizeOf(group);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Show {count, plural, one {# change} other {# changes}}', { count })}</summary>
      <ul>
        {found.data?.data.map((change) => (
          <li key={change.id}>
            <SingleEntry change={change} />
          </li>
        ))}
      </ul>
      <TextLink href={`/history?${new URLSearchParams({ requestId: group.id })}`}>
        {t('{count, plural, one {The # change} other {All # changes}}', { count })}
      </TextLink>
    </details>
  );
}

/** The values of an added or removed object; for other changes the sentence tells them. */
function Values({ change }: { change: NamedChange }) {
  const locale = historyLocale(useMoney());
  const isTold = change.action === 'changed' || ['companyRole', 'systemRole'].includes(change.entity);
  if (isTold || change.changes.length === 0) return null;
  return (
    <details>
      <summary>{t('Details', { context: 'history' })}</summary>
      <ul>
        {fieldTexts(change, locale).map((text) => (
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
          <TextLink key={key} href={link.href}>
            {name}
          </TextLink>
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
