import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { explain } from '../explain.ts';
import { pageTexts } from '../texts-pages.ts';
import { DialogButton } from './dialog-button.tsx';
import { tell, type Undo } from './notices.tsx';

interface ConfirmButtonProps {
  /** What happens, on the button and above the question. */
  title: string;
  label?: string;
  /** What it means. */
  text: string;
  /** What else follows from it, or is to be chosen. */
  details?: ReactNode;
  /** What is told once it has happened. */
  done: string;
  run: () => Promise<unknown>;
  /** Takes it back. */
  undo?: Undo | undefined;
  /** False: it would be refused, as the details say. */
  isPossible?: boolean;
  color?: string;
  size?: 'xs' | 'sm';
}

/** A button that asks before it does something, and says in the same place why it could not be done. */
export function ConfirmButton({
  title,
  label,
  text,
  details,
  done,
  run,
  undo,
  isPossible = true,
  color,
  size,
}: ConfirmButtonProps) {
  return (
    <DialogButton {...{ title, color }} {...(label ? { label } : {})} {...(size ? { size } : {})}>
      {(close) => <Question {...{ label: label ?? title, text, details, done, run, undo, isPossible, color, close }} />}
    </DialogButton>
  );
}

interface QuestionProps extends Pick<ConfirmButtonProps, 'text' | 'details' | 'done' | 'undo'> {
  label: string;
  run: () => Promise<unknown>;
  isPossible?: boolean;
  color: string | undefined;
  close: () => void;
}

/** Asks before something is done, and says why it could not be done. */
export function Question({ close, details, run, undo, isPossible = true, ...asked }: QuestionProps) {
  // What is asked stays, also where the answer has changed what would be asked next.
  const [{ label, text, done, color }] = useState(asked);
  const running = useMutation({
    mutationFn: run,
    onSuccess: () => {
      close();
      tell('done', done, undo);
    },
  });
  return (
    <Stack>
      <Text>{text}</Text>
      {details}
      <div aria-live="polite">{running.error && <Alert color="red">{explain(running.error)}</Alert>}</div>
      <Group justify="flex-end">
        <Button variant="default" onClick={close} disabled={running.isPending} data-autofocus>
          {pageTexts.form.cancel}
        </Button>
        <Button
          {...(color ? { color } : {})}
          onClick={() => running.mutate()}
          loading={running.isPending}
          disabled={!isPossible}
        >
          {label}
        </Button>
      </Group>
    </Stack>
  );
}
