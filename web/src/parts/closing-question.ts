import { createContext, type RefObject, useContext, useEffect } from 'react';

/**
 * The confirmation asked before the surrounding dialog closes by Escape, its close button, a link in it or the
 * browser's Back; undefined: none.
 */
export const ClosingQuestion = createContext<RefObject<string | undefined> | undefined>(undefined);

/** Makes the surrounding dialog ask for confirmation before it closes. @param question undefined: nothing would be lost */
export function useClosingQuestion(question: string | undefined): void {
  const asked = useContext(ClosingQuestion);
  useEffect(() => {
    if (!asked) return;
    asked.current = question;
    return () => {
      asked.current = undefined;
    };
  }, [asked, question]);
}
