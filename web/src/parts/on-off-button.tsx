import type { ReactNode } from 'react';
import { useChanged } from '../session/use-changes.ts';
import { ConfirmButton } from './confirm-button.tsx';

interface Way {
  title: string;
  text: string;
  done: string;
  details?: ReactNode;
}

interface OnOffButtonProps {
  isOn: boolean;
  off: Way;
  on: Way;
  set: (isOn: boolean) => Promise<unknown>;
  /** Whether switching has further effects that cannot be undone. */
  isFinal?: boolean;
}

/** A button that switches something off, and on again. */
export function OnOffButton({ isOn, off, on, set, isFinal = false }: OnOffButtonProps) {
  const changed = useChanged();
  const turn = (wanted: boolean) => async () => {
    await set(wanted);
    await changed();
  };
  const undo = isFinal ? undefined : turn(isOn);
  return <ConfirmButton {...(isOn ? { ...off, color: 'red' } : on)} run={turn(!isOn)} undo={undo} />;
}
