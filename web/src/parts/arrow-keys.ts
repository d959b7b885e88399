import type { KeyboardEvent, MouseEvent } from 'react';
import { isRightToLeft } from '../translate.ts';

const WITHIN: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const BETWEEN: Readonly<Record<string, number>> = isRightToLeft
  ? { ArrowLeft: 1, ArrowRight: -1 }
  : { ArrowRight: 1, ArrowLeft: -1 };

/** Returns whether it is Enter, and does not end the composition of a character (229: of browsers that end it before). */
export function isEnter({ key, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !nativeEvent.isComposing && keyCode !== 229;
}

/**
 * Moves the focus by arrow keys. Up and down move within a list (`data-list`) from its search box through its items
 * (`data-item`), Home and End to its ends; left and right move from an item to the adjacent list: to its selected
 * item, or its search box.
 */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || hasModifier(event)) return;
  const list = target.closest<HTMLElement>('[data-list]');
  if (!list) return;
  const items = [...list.querySelectorAll<HTMLElement>('[data-item]')];
  const box = searchBox(list);
  const at = items.indexOf(target);
  if (at < 0 && target !== box) return;

  let next: HTMLElement | null | undefined;
  const [within, between] = [WITHIN[key], BETWEEN[key]];
  if (within !== undefined) next = at + within < 0 ? box : items[at + within];
  else if (at >= 0 && between !== undefined) next = entryOf(besideOf(list, between));
  else if (at >= 0 && key === 'Home') next = items[0];
  else if (at >= 0 && key === 'End') next = items.at(-1);
  if (!next || (target === box && within === -1)) return;
  event.preventDefault();
  next.focus();
}

/** Returns whether a modifier key is held, with which keys and clicks have a meaning of the browser's. */
export function hasModifier({
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<MouseEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

function besideOf(list: HTMLElement, step: number): HTMLElement | undefined {
  const lists = [...document.querySelectorAll<HTMLElement>('[data-list]')].filter((one) => one.checkVisibility());
  return lists[lists.indexOf(list) + step];
}

function entryOf(list: HTMLElement | undefined): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>('[data-item][aria-current]') ?? (list && searchBox(list));
}

function searchBox(list: HTMLElement): HTMLElement | null {
  return list.querySelector<HTMLElement>('input[type="search"]');
}
