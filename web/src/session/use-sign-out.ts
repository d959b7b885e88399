import { useLocation } from 'wouter';
import { texts } from '../texts.ts';
import { useSession } from './session.tsx';

/** Signs out and goes to the first page; asks before that would lose what is typed. */
export function useSignOut(): () => void {
  const { hasDraft, signOut } = useSession();
  const [, navigate] = useLocation();
  return () => {
    if (hasDraft && !confirm(texts.shell.leave)) return;
    signOut();
    navigate('/');
  };
}
