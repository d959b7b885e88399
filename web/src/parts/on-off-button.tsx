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
}

/** Switches something off that can be switched on again, and on again. */
export function OnOffButton({ isOn, off, on, set }: OnOffButtonProps) {
  const changed = useChanged();
  const run = async () => {
    await set(!isOn);
    await changed();
  };
  return <ConfirmButton {...(isOn ? { ...off, color: 'red' } : on)} run={run} />;
}
