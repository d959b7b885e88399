import { Alert, Button, CloseButton, Code, Group, Modal, Stack } from '@mantine/core';
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { guardBack } from '../session/leaving.ts';
import { t } from '../translate.ts';
import { Copied } from './facts.tsx';
import { ask, type Question } from './question.tsx';
import { useAddressState } from './use-list-state.ts';

/**
 * The confirmation asked before the surrounding dialog closes by Escape, its close button, a link in it or the
 * browser's Back; undefined: none.
 */
const ClosingQuestion = createContext<RefObject<Question | undefined> | undefined>(undefined);

/** Makes the surrounding dialog ask for confirmation before it closes. @param question undefined: nothing would be lost */
export function useClosingQuestion(question: Question | undefined): void {
  const asked = useContext(ClosingQuestion);
  useEffect(() => {
    if (!asked) return;
    asked.current = question;
    return () => {
      asked.current = undefined;
    };
  }, [asked, question]);
}

interface DialogProps {
  title: string;
  isOpen: boolean;
  close: () => void;
  /** Also closes by a click outside, where no typed text would be lost. */
  closesOutside?: boolean;
  children: ReactNode;
}

/** A modal dialog. It does not lock scrolling: that needs a style element, which the content security policy forbids. */
export function Dialog({ title, isOpen, close, closesOutside = false, children }: DialogProps) {
  const question = useRef<Question>(undefined);
  const leave = async () => {
    if (question.current === undefined || (await ask(question.current))) close();
  };
  useEffect(() => (isOpen ? guardBack(() => question.current) : undefined), [isOpen]);
  const follow = async (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[href]') : null;
    if (!link || question.current === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!(await ask(question.current))) return;
    question.current = undefined;
    link.click();
  };
  return (
    <Modal.Root
      opened={isOpen}
      onClose={leave}
      closeOnClickOutside={closesOutside}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      size="lg"
    >
      <Modal.Overlay />
      <Modal.Content onClickCapture={follow}>
        <Modal.Body p="lg">
          <Group justify="space-between" wrap="nowrap" align="flex-start" mb="md">
            <Modal.Title fw={600}>{title}</Modal.Title>
            <CloseButton onClick={leave} aria-label={t('Close')} />
          </Group>
          <ClosingQuestion value={question}>{isOpen && children}</ClosingQuestion>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The parameter of the address with the title of the dialog that is to be open. */
export const TO_OPEN = 'open';

interface DialogButtonProps {
  /** The label of the button, and the title of the dialog. */
  title: string;
  /** The name of what the dialog is about, which its title has too. */
  of?: string | undefined;
  /** A shorter label for the button, where the context makes it clear. */
  label?: string | undefined;
  variant?: 'filled' | 'default' | 'subtle';
  size?: 'xs' | 'sm';
  color?: string | undefined;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog, which closes only by its own buttons and Escape, so that a stray click loses no text. */
export function DialogButton(props: DialogButtonProps) {
  const { of, label = props.title, variant = 'default', size = 'sm', color, children } = props;
  const title = of === undefined ? props.title : `${props.title}: ${of}`;
  // The dialog keeps the title that it opened with, even if the button's changes meanwhile.
  const [opened, setOpened] = useState<string>();
  const close = () => setOpened(undefined);
  const { value, change } = useAddressState();
  const isAsked = value(TO_OPEN) === title;
  useEffect(() => {
    if (!isAsked) return;
    setOpened(title);
    change({ [TO_OPEN]: '' }, { replace: true });
  }, [isAsked]);
  return (
    <>
      <Button
        variant={variant}
        size={size}
        {...(color === undefined ? {} : { color })}
        {...(color === 'red' && { c: 'var(--mantine-color-error)' })}
        onClick={() => setOpened(title)}
        aria-label={label === title ? undefined : title}
      >
        {label}
      </Button>
      <Dialog title={opened ?? title} isOpen={opened !== undefined} close={close}>
        {opened !== undefined && children(close)}
      </Dialog>
    </>
  );
}

const NOT_SHOWN_AGAIN: Question = {
  ...{ text: t('Close? It is not shown again.'), act: t('Close'), keep: t('Keep open') },
};

/** A secret that cannot be displayed again. */
export function ShownOnce({ label, secret, close }: { label: string; secret: string; close: () => void }) {
  useClosingQuestion(NOT_SHOWN_AGAIN);
  return (
    <Stack>
      <Alert color="yellow" title={label} role="status">
        {t('Copy this now. You won’t be able to see it again.')}
      </Alert>
      <Code fz="sm" p="xs">
        <Copied text={secret} label={label} />
      </Code>
      <Group justify="flex-end">
        <Button onClick={close}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
