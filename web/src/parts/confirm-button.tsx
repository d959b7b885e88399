import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { explain } from '../explain.ts';
import { pageTexts } from '../texts.ts';
import { DialogButton } from './dialog-button.tsx';
import { notify, type Undo } from './notices.tsx';

interface ConfirmButtonProps {
  /** The action, on the button and as the title of the question. */
  title: string;
  label?: string;
  /** What the action means. */
  text: string;
  /** Further consequences and choices. */
  details?: ReactNode;
  /** The notice after success. */
  done: string;
  run: () => Promise<unknown>;
  /** Reverts the action. */
  undo?: Undo | undefined;
  /** False: the service would refuse it, as the details explain. */
  isPossible?: boolean;
  color?: string;
  size?: 'xs' | 'sm';
}

/** A button that asks for confirmation, and shows there why the action failed. */
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

/** The confirmation dialog of an action, which shows why it failed. */
export function Question({ close, details, run, undo, isPossible = true, ...asked }: QuestionProps) {
  // The question stays as it was asked, even if the action changes its properties.
  const [{ label, text, done, color }] = useState(asked);
  const running = useMutation({
    mutationFn: run,
    onSuccess: () => {
      close();
      notify('done', done, undo);
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
