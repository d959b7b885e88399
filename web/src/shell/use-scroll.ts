import { useEffect } from 'react';

/** Milliseconds within which a restored page has to reach its former height. */
const DEADLINE_MS = 2000;

/** Scrolls to the top on navigation, also to another page of a list, and restores the scroll position on back and forward. */
export function useScroll(): void {
  useEffect(() => {
    const positions = new Map<string, number>();
    const here = () => location.pathname + location.search;
    const page = () => `${location.pathname} ${new URLSearchParams(location.search).get('page')}`;
    let [at, shown] = [here(), page()];
    /** Set while a scroll position is being restored. */
    let timer: number | undefined;
    // Read on leaving: scroll events arrive a frame later, possibly after the navigation.
    const leave = () => {
      if (timer === undefined) positions.set(at, scrollY);
      clearTimeout(timer);
      timer = undefined;
      at = here();
    };
    const onPush = () => {
      leave();
      if (page() !== shown) scrollTo(0, 0);
      shown = page();
    };
    const onPop = () => {
      leave();
      shown = page();
      const position = positions.get(at) ?? 0;
      const end = performance.now() + DEADLINE_MS;
      const restore = () => {
        scrollTo(0, position);
        const isSought = Math.abs(scrollY - position) > 1 && performance.now() < end;
        timer = isSought ? window.setTimeout(restore, 50) : undefined;
      };
      timer = window.setTimeout(restore);
    };
    const onReplace = () => {
      at = here();
    };
    history.scrollRestoration = 'manual';
    addEventListener('pushState', onPush);
    addEventListener('replaceState', onReplace);
    addEventListener('popstate', onPop);
    return () => {
      removeEventListener('pushState', onPush);
      removeEventListener('replaceState', onReplace);
      removeEventListener('popstate', onPop);
    };
  }, []);
}
