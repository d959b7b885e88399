import { useEffect } from 'react';

/** Milliseconds for which a page that one comes back to may take until it is as long as it was. */
const PATIENCE = 2000;

/** A page is read from its beginning, each page of a list as well; whoever goes back comes to where they were. */
export function useScroll(): void {
  useEffect(() => {
    const places = new Map<string, number>();
    const here = () => location.pathname + location.search;
    const page = () => `${location.pathname} ${new URLSearchParams(location.search).get('page')}`;
    let shown = page();
    let timer = 0;
    const note = () => places.set(here(), scrollY);
    const goOn = () => {
      clearTimeout(timer);
      if (page() !== shown) scrollTo(0, 0);
      shown = page();
    };
    const goBack = () => {
      shown = page();
      const place = places.get(here()) ?? 0;
      const end = performance.now() + PATIENCE;
      const tryIt = () => {
        scrollTo(0, place);
        if (Math.abs(scrollY - place) > 1 && performance.now() < end) timer = window.setTimeout(tryIt, 50);
      };
      clearTimeout(timer);
      timer = window.setTimeout(tryIt);
    };
    history.scrollRestoration = 'manual';
    addEventListener('scroll', note, { passive: true });
    addEventListener('pushState', goOn);
    addEventListener('popstate', goBack);
    return () => {
      removeEventListener('scroll', note);
      removeEventListener('pushState', goOn);
      removeEventListener('popstate', goBack);
    };
  }, []);
}
