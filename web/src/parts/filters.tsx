import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { pageTexts } from '../texts.ts';
import classes from './filters.module.css';

/** The filters of a list; on a narrow screen behind a button. */
export function Filters({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className={classes.toggle ?? ''}
        variant="default"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        data-screen-only
      >
        {pageTexts.lists.filters}
      </Button>
      <Group className={classes.filters ?? ''} gap="sm" align="flex-end" data-open={isOpen}>
        {children}
      </Group>
    </>
  );
}
