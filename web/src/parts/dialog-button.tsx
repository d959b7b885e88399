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
  // What it is called when it opens it is called until it goes, whatever its button leads to by then.
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
