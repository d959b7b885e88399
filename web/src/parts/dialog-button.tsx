import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';

interface DialogButtonProps {
  /** On the button, and the name of what opens. */
  title: string;
  /** What the button says, where its place says the rest. */
  label?: string;
  variant?: 'filled' | 'default' | 'subtle';
  size?: 'xs' | 'sm';
  color?: string | undefined;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog, which goes by its own buttons and Escape alone: what is typed is not lost by a slip. */
export function DialogButton({
  title,
  label = title,
  variant = 'default',
  size = 'sm',
  color,
  children,
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant={variant}
        size={size}
        {...(color === undefined ? {} : { color })}
        onClick={() => setOpen(true)}
        aria-label={label === title ? undefined : title}
      >
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} close={close}>
        {isOpen && children(close)}
      </Dialog>
    </>
  );
}
