import { Notification, Portal, Stack } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { texts } from '../texts.ts';
import classes from './notices.module.css';

/** Something that is told wherever one is by now. */
interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
}

/** Milliseconds for which good news stays; bad ones stay until they are closed. */
const STAY = 6000;

let notices: readonly Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

const close = (id: number) => change(notices.filter((notice) => notice.id !== id));

/** Tells something over whatever page is shown. */
export function tell(kind: Notice['kind'], text: string): void {
  const notice = { id: ++count, kind, text };
  change([...notices, notice].slice(-4));
  if (kind === 'done') setTimeout(() => close(notice.id), STAY);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <Portal>
      <Stack className={classes.notices} gap="xs" aria-live="polite">
        {shown.map(({ id, kind, text }) => (
          <Notification
            key={id}
            withBorder
            withCloseButton={kind === 'failed'}
            color={kind === 'done' ? 'green' : 'red'}
            role={kind === 'done' ? 'status' : 'alert'}
            onClose={() => close(id)}
            closeButtonProps={{ 'aria-label': texts.states.close }}
          >
            {text}
          </Notification>
        ))}
      </Stack>
    </Portal>
  );
}
