import { Alert, type AlertProps, Text, type TextProps, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Shown {
  children: ReactNode;
}

/** A text that explains others. */
export function Dimmed(props: TextProps & Shown) {
  return <Text size="sm" c="dimmed" {...props} />;
}

/** The heading of a part of a page. */
export function Heading({ children }: Shown) {
  return (
    <Title order={2} size="h4">
      {children}
    </Title>
  );
}

/** What users should know; in grey where there is nothing to do. */
export function Note(props: AlertProps & Shown) {
  return <Alert color="yellow" role="note" {...props} />;
}
