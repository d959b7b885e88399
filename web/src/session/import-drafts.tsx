import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ImportDraft } from '../../../src/import/tables/draft.ts';
import { ask } from '../parts/question.tsx';
import { t } from '../translate.ts';
import { useWarningBeforeLeaving } from './leaving.ts';
import { useSession } from './session.tsx';

type Drafts = Readonly<Record<string, ImportDraft>>;

interface ImportDrafts {
  /** Drafts by the id of the company that they import into. */
  drafts: Drafts;
  /** @param draft undefined: removes it */
  keepDraft: (companyId: string, draft: ImportDraft | undefined) => void;
}

const NONE: Drafts = {};
const Context = createContext<ImportDrafts>({ drafts: NONE, keepDraft: () => undefined });

/** The tables that users are about to import: they outlive their page, and the browser warns before they are lost. */
export function useImportDrafts(): ImportDrafts {
  return useContext(Context);
}

export function ImportDraftsProvider({ children }: { children: ReactNode }) {
  const { userId } = useSession();
  const [held, setHeld] = useState({ userId, drafts: NONE });
  const drafts = held.userId === userId ? held.drafts : NONE;
  // Signing out discards the drafts.
  useEffect(() => setHeld({ userId, drafts: NONE }), [userId]);
  useWarningBeforeLeaving(Object.keys(drafts).length > 0);
  const keepDraft = useCallback<ImportDrafts['keepDraft']>(
    (companyId, draft) =>
      setHeld(({ drafts: { [companyId]: _, ...others } }) => ({
        userId,
        drafts: draft === undefined ? others : { ...others, [companyId]: draft },
      })),
    [userId],
  );
  const value = useMemo(() => ({ drafts, keepDraft }), [drafts, keepDraft]);
  return <Context value={value}>{children}</Context>;
}

/** Signs out and goes to the landing page, after a confirmation if typed text would be lost. */
export function useSignOut(): () => void {
  const { hasDraft, signOut } = useSession();
  const { drafts } = useImportDrafts();
  const [, navigate] = useLocation();
  return async () => {
    const isSure = (text: string) => ask({ text, act: t('Sign out'), keep: t('Stay signed in') });
    if (hasDraft && !(await isSure(t('You have unsaved changes of your profile. Sign out and lose them?')))) return;
    const text = t('There are lines that you have not imported. Sign out and lose them?');
    if (Object.keys(drafts).length > 0 && !(await isSure(text))) return;
    signOut();
    navigate('/');
  };
}
