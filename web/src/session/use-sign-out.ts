import { useLocation } from 'wouter';
import { texts } from '../texts.ts';
import { useImportDrafts } from './import-drafts.tsx';
import { useSession } from './session.tsx';

/** Signs out and goes to the landing page, after a confirmation if typed text would be lost. */
export function useSignOut(): () => void {
  const { hasDraft, signOut } = useSession();
  const { drafts } = useImportDrafts();
  const [, navigate] = useLocation();
  return () => {
    if (hasDraft && !confirm(texts.shell.leave)) return;
    if (Object.keys(drafts).length > 0 && !confirm(texts.shell.leaveImport)) return;
    signOut();
    navigate('/');
  };
}
