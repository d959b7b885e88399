import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './question.module.css';

/** A question before something is lost, with the verbs of its buttons. */
export interface Question {
  text: string;
  /** What loses it. */
  act: string;
  /** What keeps it. */
  keep: string;
}

interface Asked extends Question {
  answer: (isSure: boolean) => void;
}

let show: (asked: Asked) => void = () => undefined;

/**
 * Asks whether something may be lost; a question during another one has no answer. The page asks, not the browser: a
 * browser that suppresses the questions of a page answers each with no, and what asks could not be left any more.
 */
export function ask(question: Question): Promise<boolean> {
  // Later, as the Escape that asks would close the question at once.
  return new Promise((answer) => setTimeout(() => show({ ...question, answer })));
}

/** Shows what {@link ask} asks, above every dialog. */
export function Questions() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    show = (next) => setAsked((present) => present ?? next);
  }, []);
  if (!asked) return null;
  const button = (label: string, answer: string) => (
    <Button
      {...(answer === '' ? { variant: 'default' } : { color: 'red' })}
      data-mantine-stop-propagation
      onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close(answer)}
    >
      {label}
    </Button>
  );
  return (
    <dialog
      ref={open}
      role="alertdialog"
      aria-label={asked.text}
      className={classes.question}
      // Escape closes the question alone.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.currentTarget.close();
      }}
      onClose={({ currentTarget: { returnValue } }) => {
        setAsked(undefined);
        asked.answer(returnValue !== '');
      }}
    >
      <Text mb="md">{asked.text}</Text>
      <Group justify="flex-end">
        {button(asked.keep, '')}
        {button(asked.act, 'yes')}
      </Group>
    </dialog>
  );
}

function open(dialog: HTMLDialogElement | null): void {
  if (dialog?.open === false) dialog.showModal();
}
