import { Alert, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { explain } from '../api/client.ts';
import { type Saved, undoUnlessChanged } from '../pages/changed-by.ts';
import { useChanged } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { DialogButton } from './dialog.tsx';
import { ActButton, notify } from './notices.tsx';

interface Asked<Result> {
  /** What the action means. */
  text: string;
  /** Further consequences and choices. */
  details?: ReactNode;
  /** The notice after success. */
  done: string;
  run: () => Promise<Result>;
  /** Reverts the action. */
  undo?: ((result: Result) => Promise<unknown>) | undefined;
  /** False: the service would refuse it, as the details explain. */
  isPossible?: boolean;
  color?: string | undefined;
}

interface ConfirmButtonProps<Result> extends Asked<Result> {
  /** The action, on the button and as the title of the question. */
  title: string;
  /** What it is done to, for the title. */
  of?: string;
  label?: string;
  size?: 'xs' | 'sm';
}

/** A button that asks for confirmation, and shows there why the action failed. */
export function ConfirmButton<Result>({ title, of, label, size = 'sm', ...asked }: ConfirmButtonProps<Result>) {
  return (
    <DialogButton {...{ title, of, label, size, color: asked.color }}>
      {(close) => <Question label={label ?? title} close={close} {...asked} />}
    </DialogButton>
  );
}

type QuestionProps<Result> = Asked<Result> & { label: string; close: () => void };

/** The confirmation dialog of an action, which shows why it failed. */
export function Question<Result>({ close, details, run, undo, isPossible = true, ...asked }: QuestionProps<Result>) {
  // The question stays as it was asked, even if the action changes its properties.
  const [{ label, text, done, color }] = useState(asked);
  const changed = useChanged();
  const box = useRef<HTMLDivElement>(null);
  const running = useMutation({
    mutationFn: async () => {
      const result = await run();
      await changed();
      return result;
    },
    onSuccess: (result) => {
      close();
      notify('done', done, undo && (() => undo(result).then(changed)));
    },
    // The dialog may have been closed meanwhile.
    onError: (error) => box.current ?? notify('failed', explain(error)),
  });
  return (
    <Stack ref={box}>
      <Text>{text}</Text>
      {details}
      <div aria-live="polite">{running.error && <Alert color="red">{explain(running.error)}</Alert>}</div>
      <Group justify="flex-end">
        <Button variant="default" onClick={close} disabled={running.isPending} data-autofocus>
          {t('Cancel')}
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

interface ChangeButtonProps extends ButtonProps {
  run: () => Promise<unknown>;
  /** The notice after success. */
  said: string;
  children: ReactNode;
}

/** A button that changes something at once. */
export function ChangeButton({ run, said, ...button }: ChangeButtonProps) {
  const changed = useChanged();
  return <ActButton {...button} run={() => run().then(changed)} done={() => notify('done', said)} />;
}

type SwitchTexts = Pick<ConfirmButtonProps<unknown>, 'title' | 'text' | 'done' | 'details'>;

interface OnOffButtonProps {
  isOn: boolean;
  off: SwitchTexts;
  on: SwitchTexts;
  /** @param version rejects with a 412 if the object has changed since */
  set: (isOn: boolean, version?: string) => Promise<Saved>;
  /** The object in the audit trail. */
  of: Parameters<typeof undoUnlessChanged>[1];
  /** Whether switching has further effects that cannot be undone. */
  isFinal?: boolean;
  size?: 'xs' | 'sm';
}

/** A button that switches something off, and on again. */
export function OnOffButton({ isOn, off, on, set, of, isFinal = false, size = 'sm' }: OnOffButtonProps) {
  const { client } = useSession();
  const undo = (saved: Saved) => undoUnlessChanged(client, of, saved, (version) => set(isOn, version));
  return (
    <ConfirmButton
      {...{ size, ...(isOn ? { ...off, color: 'red' } : on) }}
      run={() => set(!isOn)}
      undo={isFinal ? undefined : undo}
    />
  );
}
