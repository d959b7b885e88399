import { Paper, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { More, TextLink } from '../parts/links.tsx';
import { Bar } from '../parts/plot.tsx';
import { Loading, Pending, useIsPhone } from '../parts/states.tsx';
import { t } from '../translate.ts';
import classes from './overview.module.css';
import { type Figure, largestOf } from './overview-figures.ts';

/** Maximum figures on a card. */
const [SHOWN, SHOWN_ON_PHONES] = [8, 4];

interface CardProps {
  title: string;
  /** The link to the whole list. */
  all?: { href: string; label: string };
  children: ReactNode;
}

export function Card({ title, all, children }: CardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <div className={classes.head}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {all && (
          <TextLink href={all.href} size="sm" data-screen-only>
            {all.label}
          </TextLink>
        )}
      </div>
      {children}
    </Paper>
  );
}

interface QueryCardProps<Data> extends Omit<CardProps, 'children'> {
  found: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** A card whose content is read, in all its states: loading, failed, loaded. */
export function QueryCard<Data>({ found, children, ...card }: QueryCardProps<Data>) {
  return (
    <Card {...card}>
      <Pending of={found} rows={3} />
      {found.data !== undefined && children(found.data)}
    </Card>
  );
}

interface FigureCardProps extends Omit<CardProps, 'children'> {
  figures: Figure[] | undefined;
  /** The sum of all figures, as text. */
  sum?: string | undefined;
}

/** Figures as bars, the largest first, each with a link to its list. @param figures undefined while they load */
export function FigureCard({ figures, sum, ...card }: FigureCardProps) {
  const isPhone = useIsPhone();
  if (figures === undefined) {
    return (
      <Card {...card}>
        <Loading rows={3} />
      </Card>
    );
  }
  const { first, left } = largestOf(figures, isPhone ? SHOWN_ON_PHONES : SHOWN);
  const largest = Math.max(first[0]?.value ?? 0, 1);
  return (
    <Card {...card}>
      {first.length === 0 && <Text size="sm">{t('None.')}</Text>}
      <ul className={classes.figures}>
        {first.map(({ id, name, value, text, bar, href }) => (
          <li key={id}>
            <TextLink href={href} className={classes.name ?? ''} size="sm">
              {name}
            </TextLink>
            <div>{bar ?? <Bar share={value / largest} />}</div>
            <span className={classes.value}>{text}</span>
          </li>
        ))}
      </ul>
      {sum !== undefined && first.length > 1 && (
        <Text size="sm" fw={600} ta="end" mt="xs">
          {t('Total: {sum}', { sum })}
        </Text>
      )}
      <More of={left} {...(card.all && { href: card.all.href })} />
    </Card>
  );
}
