import { useEffect, useRef } from 'react';
import { notify } from './notices.tsx';

/** Returns `notify` for an outcome whose component is no longer on screen; while it is, the function does nothing. */
export function useNotifyElsewhere(): typeof notify {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (kind, text) => {
    if (!isHere.current) notify(kind, text);
  };
}
