import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Has the browser ask before the page is left with something of the own profile that is typed and not saved.
 *
 * @returns to be called where it is about to be left with that put aside: nothing is asked then
 */
export function useLeaveWarning(hasDraft: boolean): () => void {
  const isLeaving = useRef(false);
  useWarningBeforeLeaving(hasDraft, isLeaving);
  return useCallback(() => {
    isLeaving.current = true;
    // Whoever goes back may find the page as they left it.
    addEventListener('pageshow', () => (isLeaving.current = false), { once: true });
  }, []);
}

/** Has the browser ask before the page is left while something is typed and not saved. */
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
