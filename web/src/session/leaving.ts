import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { ask, type Question } from '../parts/question.tsx';

/**
 * Warns before the page is left with unsaved changes of the user's own profile.
 *
 * @returns a function that suppresses the warning, to be called when the changes have been put aside
 */
export function useLeaveWarning(hasDraft: boolean): () => void {
  const isLeaving = useRef(false);
  useWarningBeforeLeaving(hasDraft, isLeaving);
  return useCallback(() => {
    isLeaving.current = true;
    // Restores the warning when the page returns from the back/forward cache.
    addEventListener('pageshow', () => (isLeaving.current = false), { once: true });
  }, []);
}

/** Warns before the page is left while there are unsaved changes. */
export function useWarningBeforeLeaving(isDirty: boolean, isLeaving?: RefObject<boolean>): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => {
      if (!isLeaving?.current) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty, isLeaving]);
}

interface Guard {
  /** Returns the question before the page is left; undefined: nothing would be lost. */
  question: () => Question | undefined;
  /** The address of the guarded page. */
  here: string;
}

let guard: Guard | undefined;

/** Guards Back and Forward on this page. @returns a function that removes the guard */
export function guardBack(question: Guard['question']): () => void {
  const own = { question, here: location.href };
  guard = own;
  return () => {
    if (guard === own) guard = undefined;
  };
}

/** To be called before the router listens: listeners on window run in the order of their registration, capturing or not. */
export function listenForBack(): void {
  let isSure = false;
  addEventListener('popstate', async (event) => {
    const question = isSure ? undefined : guard?.question();
    isSure = false;
    if (!guard || question === undefined) return;
    // The router does not see the event, and the address is restored: the page stays until one is sure.
    event.stopImmediatePropagation();
    history.pushState(history.state, '', guard.here);
    isSure = await ask(question);
    if (isSure) history.back();
  });
}
