import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

/** Cards in columns, each as high as its content. */
export function Cards({ columns, children }: { columns: 2 | 3; children: ReactNode }) {
  return (
    <div className={classes.cards} style={{ columnCount: columns }}>
      {children}
    </div>
  );
}

/** A card of named facts about an object. */
export function Facts({ title, facts, children }: { title: string; facts: readonly Fact[]; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {facts.length > 0 && (
        <dl className={classes.list}>
          {facts.map(([name, value]) => (
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
