import { useEffect } from 'react';

/** Milliseconds within which a restored page has to reach its former height. */
const DEADLINE_MS = 2000;

/** Scrolls to the top on navigation, also to another page of a list, and restores the scroll position on back and forward. */
export function useScroll(): void {
  useEffect(() => {
    const places = new Map<string, number>();
    const here = () => location.pathname + location.search;
    const page = () => `${location.pathname} ${new URLSearchParams(location.search).get('page')}`;
    let [at, shown] = [here(), page()];
    /** Set while a scroll position is being restored. */
    let timer: number | undefined;
    // Read on leaving: scroll events arrive a frame later, possibly after the navigation.
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
