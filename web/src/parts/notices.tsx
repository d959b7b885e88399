import { Button, type ButtonProps, Group, Notification, Portal, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { explain, takeCurl } from '../api/client.ts';
import { t } from '../translate.ts';
import classes from './notices.module.css';

/** A notice that stays visible across pages. */
interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
  /** Reverts the action. */
  undo?: Undo | undefined;
  /** What was done, as a command line. */
  curl: string | undefined;
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
  change([...notices, { id: ++count, kind, text, undo, curl: kind === 'done' ? takeCurl() : undefined }].slice(-4));
}

/** Copies a text, and says so. */
export function copy(text: string, label: string): void {
  navigator.clipboard.writeText(text).then(
    () => notify('done', t('{label} copied.', { label })),
    () => notify('failed', t('This browser does not let the page copy. Mark the text and copy it by hand.')),
  );
}

/** Returns a mutation that says why it failed. */
export function useAct<Result, Given = void>(
  run: (given: Given) => Promise<Result>,
  done?: (result: Result, given: Given) => unknown,
) {
  return useMutation({
    mutationFn: run,
    onSuccess: (result, given) => done?.(result, given),
    onError: (error) => notify('failed', explain(error)),
  });
}

interface ActButtonProps<Result> extends ButtonProps {
  run: () => Promise<Result>;
  done?: (result: Result) => unknown;
  children: ReactNode;
}

/** A button that does something at once, and says why it failed. */
export function ActButton<Result>({ run, done, ...button }: ActButtonProps<Result>) {
  const acting = useAct(run, done);
  return <Button variant="default" {...button} onClick={() => acting.mutate()} loading={acting.isPending} />;
}

async function takeBack({ id, text, undo }: Notice): Promise<void> {
  close(id);
  try {
    await undo?.();
    notify('done', t('Undone: {what}', { what: text }));
  } catch (error) {
    notify('failed', t('This could not be undone. {why}', { why: explain(error as Error) }));
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
      <div aria-live="polite">{shown.length > 0 && <Shown notices={shown} />}</div>
    </Portal>
  );
}

/** The notices. They stay while the pointer is over them, or the focus is on one of their buttons. */
function Shown({ notices: shown }: { notices: readonly Notice[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // The notices let the pointer through: where it is has to be compared.
  useWindowEvent('pointermove', ({ clientX, clientY }) => {
    const { left, right, top, bottom } = box.current?.getBoundingClientRect() ?? new DOMRect();
    setOver(clientX >= left && clientX <= right && clientY >= top && clientY <= bottom);
  });
  return (
    <Stack
      className={classes.notices}
      gap="xs"
      ref={box}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {shown.map((notice) => (
        <Item key={notice.id} notice={notice} isHeld={isOver || isFocused} />
      ))}
    </Stack>
  );
}

function Item({ notice, isHeld }: { notice: Notice; isHeld: boolean }) {
  const { id, kind, text, undo, curl } = notice;
  const isDone = kind === 'done';
  useEffect(() => {
    if (!isDone || isHeld) return;
    const timer = setTimeout(() => close(id), undo ? UNDO_STAY : STAY);
    return () => clearTimeout(timer);
  }, [isDone, isHeld, id, undo]);
  return (
    <Notification
      withBorder
      color={isDone ? 'green' : 'red'}
      role={isDone ? 'status' : 'alert'}
      onClose={() => close(id)}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        {curl !== undefined && (
          <Button size="compact-sm" variant="subtle" flex="none" onClick={() => copy(curl, t('The command'))}>
            {t('Copy as curl')}
          </Button>
        )}
        {undo && (
          <Button size="compact-sm" variant="default" flex="none" onClick={() => void takeBack(notice)}>
            {t('Undo')}
          </Button>
        )}
      </Group>
    </Notification>
  );
}
