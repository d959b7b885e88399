import type { ReactNode } from 'react';
import { useChanged } from '../session/use-changes.ts';
import { ConfirmButton } from './confirm-button.tsx';

interface SwitchTexts {
  title: string;
  text: string;
  done: string;
  details?: ReactNode;
}

interface OnOffButtonProps {
  isOn: boolean;
  off: SwitchTexts;
  on: SwitchTexts;
  set: (isOn: boolean) => Promise<unknown>;
  /** Whether switching has further effects that cannot be undone. */
  isFinal?: boolean;
}

/** A button that switches something off, and on again. */
export function OnOffButton({ isOn, off, on, set, isFinal = false }: OnOffButtonProps) {
  const changed = useChanged();
  const setTo = (wanted: boolean) => async () => {
    await set(wanted);
    await changed();
  };
  const undo = isFinal ? undefined : setTo(isOn);
  return <ConfirmButton {...(isOn ? { ...off, color: 'red' } : on)} run={setTo(!isOn)} undo={undo} />;
}
