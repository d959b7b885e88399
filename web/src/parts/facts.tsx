import { ActionIcon, Badge, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../translate.ts';
import classes from './facts.module.css';
import { Icon } from './icons.tsx';
import { copy } from './notices.tsx';

export type Fact = readonly [name: string, value: ReactNode];

/** Cards in columns, each as high as its content. */
export function Cards({ columns, children }: { columns: 2 | 3; children: ReactNode }) {
  return (
    <div className={classes.cards} style={{ columnCount: columns }}>
      {children}
    </div>
  );
}

/** The initials of a person in a circle; their name is next to it. */
export function Initials({ firstName, lastName }: { firstName: string; lastName: string }) {
  const [first = '', last = ''] = [firstName, lastName].map((name) => [...name][0]?.toUpperCase());
  return <span className={classes.initials} data-text={first + last} aria-hidden />;
}

interface FactsProps {
  title: string;
  /** Those that are false are not shown. */
  facts?: readonly (Fact | false | null | undefined)[];
  children?: ReactNode;
}

/** A card of named facts about an object, and further content. */
export function Facts({ title, facts = [], children }: FactsProps) {
  const shown = facts.filter((fact): fact is Fact => Boolean(fact));
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {shown.length > 0 && (
        <dl className={classes.list}>
          {shown.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </Paper>
  );
}

/** A badge for inactive people and companies; the usual active ones get none. */
export function StatusBadge({ isActive }: { isActive: boolean }) {
  if (isActive) return null;
  return <Badge color="gray">{t('Inactive')}</Badge>;
}

/** A text with a copy button. @param shown instead of the text */
export function Copied({ text, label, shown = text }: { text: string; label: string; shown?: string }) {
  return (
    <span>
      <bdi>{shown}</bdi>
      {'\u00A0'}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('Copy: {label}', { label })}
        onClick={() => copy(text, label)}
        style={{ verticalAlign: 'middle' }}
      >
        <Icon name="copy" size={14} />
      </ActionIcon>
    </span>
  );
}
