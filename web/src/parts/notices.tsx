import { Button, Group, Notification, Portal, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { explain } from '../api/client.ts';
import { pageTexts, texts } from '../texts.ts';
import classes from './notices.module.css';

/** A notice that stays visible across pages. */
interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
  /** Reverts the action. */
  undo?: Undo | undefined;
}

/** Reverts an action; rejects if the service refuses that. */
export type Undo = () => Promise<unknown>;

/** Milliseconds that a success notice stays, and one with undo; failures stay until they are closed. */
const STAY = 6000;
const UNDO_STAY = 10_000;

let notices: readonly Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

const close = (id: number) => change(notices.filter((notice) => notice.id !== id));

/** Shows a notice over whatever page is open. */
export function notify(kind: Notice['kind'], text: string, undo?: Undo): void {
  const notice = { id: ++count, kind, text, undo };
  change([...notices, notice].slice(-4));
  if (kind === 'done') setTimeout(() => close(notice.id), undo ? UNDO_STAY : STAY);
}

async function takeBack({ id, text, undo }: Notice): Promise<void> {
  close(id);
  try {
    await undo?.();
    notify('done', pageTexts.form.undone(text));
  } catch (error) {
    notify('failed', pageTexts.form.notUndone(explain(error as Error)));
  }
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
        {shown.map(({ id, kind, text, undo }) => (
          <Notification
            key={id}
            withBorder
            withCloseButton={kind === 'failed'}
            color={kind === 'done' ? 'green' : 'red'}
            role={kind === 'done' ? 'status' : 'alert'}
            onClose={() => close(id)}
            closeButtonProps={{ 'aria-label': texts.states.close }}
          >
            {undo ? (
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm">{text}</Text>
                <Button
                  size="compact-sm"
                  variant="default"
                  flex="none"
                  onClick={() => void takeBack({ id, kind, text, undo })}
                >
                  {pageTexts.form.undo}
                </Button>
              </Group>
            ) : (
              text
            )}
          </Notification>
        ))}
      </Stack>
    </Portal>
  );
}
