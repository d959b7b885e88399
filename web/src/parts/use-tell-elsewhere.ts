import { useEffect, useRef } from 'react';
import { tell } from './notices.tsx';

/** Tells what came of something where the part that began it is not on the screen any more. */
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
