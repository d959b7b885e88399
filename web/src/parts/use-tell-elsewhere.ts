import { useEffect, useRef } from 'react';
import { tell } from './notices.tsx';

/** Returns `tell` for an outcome whose component is no longer on screen; while it is, the function does nothing. */
export function useTellElsewhere(): typeof tell {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (kind, text) => {
    if (!isHere.current) tell(kind, text);
  };
}
