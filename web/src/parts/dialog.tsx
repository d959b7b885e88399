import { CloseButton, Group, Modal } from '@mantine/core';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { guardBack } from '../session/back-guard.ts';
import { texts } from '../texts.ts';
import { ClosingQuestion } from './closing-question.ts';

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
  const question = useRef<string>(undefined);
  const mayLeave = () => question.current === undefined || confirm(question.current);
  const leave = () => {
    if (mayLeave()) close();
  };
  useEffect(() => (isOpen ? guardBack(mayLeave) : undefined), [isOpen]);
  const follow = (event: MouseEvent) => {
    const isLink = event.target instanceof Element && event.target.closest('a[href]') !== null;
    if (!isLink || mayLeave()) return;
    event.preventDefault();
    event.stopPropagation();
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
            <CloseButton onClick={leave} aria-label={texts.states.close} />
          </Group>
          <ClosingQuestion value={question}>{isOpen && children}</ClosingQuestion>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
