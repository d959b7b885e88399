import { useEffect } from 'react';

/** Milliseconds for which a page that one comes back to may take until it is as long as it was. */
const DEADLINE_MS = 2000;

/** A page is read from its beginning, each page of a list as well; whoever goes back comes to where they were. */
export function useScroll(): void {
  useEffect(() => {
    const places = new Map<string, number>();
    const here = () => location.pathname + location.search;
    const page = () => `${location.pathname} ${new URLSearchParams(location.search).get('page')}`;
    let [at, shown] = [here(), page()];
    /** Set while a place is sought again. */
    let timer: number | undefined;
    // Scrolling is told a frame later, when one may have left already: what counts is where one was at that moment.
    const leave = () => {
      if (timer === undefined) places.set(at, scrollY);
      clearTimeout(timer);
      timer = undefined;
      at = here();
    };
    const goOn = () => {
      leave();
      if (page() !== shown) scrollTo(0, 0);
      shown = page();
    };
    const goBack = () => {
      leave();
      shown = page();
      const place = places.get(at) ?? 0;
      const end = performance.now() + DEADLINE_MS;
      const tryIt = () => {
        scrollTo(0, place);
        const isSought = Math.abs(scrollY - place) > 1 && performance.now() < end;
        timer = isSought ? window.setTimeout(tryIt, 50) : undefined;
      };
      timer = window.setTimeout(tryIt);
    };
    const rename = () => {
      at = here();
    };
    history.scrollRestoration = 'manual';
    addEventListener('pushState', goOn);
    addEventListener('replaceState', rename);
    addEventListener('popstate', goBack);
    return () => {
      removeEventListener('pushState', goOn);
      removeEventListener('replaceState', rename);
      removeEventListener('popstate', goBack);
    };
  }, []);
}
