import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';

interface DialogButtonProps {
  /** The label of the button, and the title of the dialog. */
  title: string;
  /** A shorter label for the button, where the context makes it clear. */
  label?: string;
  variant?: 'filled' | 'default' | 'subtle';
  size?: 'xs' | 'sm';
  color?: string | undefined;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog, which closes only by its own buttons and Escape, so that a stray click loses no text. */
export function DialogButton({
  title,
  label = title,
  variant = 'default',
  size = 'sm',
  color,
  children,
}: DialogButtonProps) {
  // The dialog keeps the title that it opened with, even if the button's changes meanwhile.
  const [opened, setOpened] = useState<string>();
  const close = () => setOpened(undefined);
  return (
    <>
      <Button
        variant={variant}
        size={size}
        {...(color === undefined ? {} : { color })}
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
