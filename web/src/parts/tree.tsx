import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { isRightToLeft } from '../translate.ts';
import { hasModifier } from './arrow-keys.ts';
import classes from './tree.module.css';

/** An item of a tree. */
export interface Branch {
  id: string;
  /** Contains at most one link or button, which Enter presses. */
  show: ReactNode;
  /** Undefined: not known until it is opened. */
  children: readonly Branch[] | undefined;
}

interface TreeProps {
  label: string;
  roots: readonly Branch[];
  isOpen: (id: string) => boolean;
  toggle: (id: string) => void;
}

/**
 * A tree that is walked by mouse and keyboard (WAI-ARIA tree view): up and down move, right opens or enters a branch,
 * left closes or leaves it, Home and End move to the ends, and Enter follows the link.
 */
export function Tree({ label, roots, isOpen, toggle }: TreeProps) {
  const [focused, setFocused] = useState<string>();
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const item = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[role=treeitem]') : null;
    if (!item || hasModifier(event)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const index = all.indexOf(item);
    const opened = item.getAttribute('aria-expanded');
    const parent = item.parentElement?.closest<HTMLElement>('[role=treeitem]');
    const press = () => toggle(item.dataset.id ?? '');
    const [forward, back] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const acts: Readonly<Record<string, () => unknown>> = {
      ArrowDown: () => all[index + 1]?.focus(),
      ArrowUp: () => all[index - 1]?.focus(),
      Home: () => all[0]?.focus(),
      End: () => all.at(-1)?.focus(),
      [forward]: () => (opened === 'false' ? press() : item.querySelector<HTMLElement>('[role=treeitem]')?.focus()),
      [back]: () => (opened === 'true' ? press() : parent?.focus()),
      Enter: () => item.querySelector<HTMLElement>('a, button:not([aria-hidden])')?.click(),
      ' ': () => opened !== null && press(),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const stop = focused ?? roots[0]?.id;
  const branch = (of: Branch, level: number): ReactNode => {
    const { id, show, children } = of;
    const hasMore = children === undefined || children.length > 0;
    return (
      <div
        key={id}
        role="treeitem"
        aria-level={level}
        aria-expanded={hasMore ? isOpen(id) : undefined}
        aria-busy={isOpen(id) && children === undefined}
        tabIndex={id === stop ? 0 : -1}
        data-id={id}
        className={classes.item}
        onFocus={(event) => event.target === event.currentTarget && setFocused(id)}
      >
        <div className={classes.row}>
          <button
            type="button"
            className={classes.toggle}
            tabIndex={-1}
            aria-hidden
            onClick={() => toggle(id)}
            data-leaf={!hasMore}
          >
            {isOpen(id) ? '▾' : isRightToLeft ? '◂' : '▸'}
          </button>
          <div className={classes.content}>{show}</div>
        </div>
        {isOpen(id) && children && children.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: the items of a tree are grouped by this role
          <div role="group">{children.map((child) => branch(child, level + 1))}</div>
        )}
      </div>
    );
  };
  return (
    <div role="tree" aria-label={label} className={classes.tree} onKeyDown={move}>
      {roots.map((root) => branch(root, 1))}
    </div>
  );
}
