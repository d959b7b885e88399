import { createContext, type RefObject, useContext, useEffect } from 'react';

/** What is asked before the dialog around goes by Escape, its cross, a link in it or the browser's Back; undefined: it goes at once. */
export const ClosingQuestion = createContext<RefObject<string | undefined> | undefined>(undefined);

/** Has the dialog around ask this before it goes. @param question undefined: nothing would be lost */
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
