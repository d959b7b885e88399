import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys move within a list (`data-list`) from its search box through its items (`data-item`); Home and End to its ends. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const list = target.closest('[data-list]');
  if (!list) return;
  const items = [...list.querySelectorAll<HTMLElement>('[data-item]')];
  const box = list.querySelector<HTMLElement>('input[type="search"]');
  const at = items.indexOf(target);
  if (at < 0 && target !== box) return;

  let next: HTMLElement | null | undefined;
  const step = STEPS[key];
  if (step !== undefined) next = at + step < 0 ? box : items[at + step];
  else if (at >= 0 && key === 'Home') next = items[0];
  else if (at >= 0 && key === 'End') next = items.at(-1);
  if (!next || (target === box && step === -1)) return;
  event.preventDefault();
  next.focus();
}
