import { useLocation } from 'wouter';
import { texts } from '../texts.ts';
import { hasFields } from './draft.ts';
import { useSession } from './session.tsx';

/** Signs out and goes to the first page; asks before that would lose what is typed. */
export function useSignOut(): () => void {
  const { draft, signOut } = useSession();
  const [, navigate] = useLocation();
  return () => {
    if (hasFields(draft) && !confirm(texts.shell.leave)) return;
    signOut();
    navigate('/');
  };
}
