import { type RefObject, useCallback, useEffect, useRef } from 'react';

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
