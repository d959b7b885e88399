interface Guard {
  /** Asks where something would be lost. */
  mayLeave: () => boolean;
  /** The address of the page that is kept. */
  here: string;
}

let guard: Guard | undefined;

/** Has Back and Forward ask before they leave this page. @returns ends that */
export function guardBack(mayLeave: () => boolean): () => void {
  const own = { mayLeave, here: location.href };
  guard = own;
  return () => {
    if (guard === own) guard = undefined;
  };
}

/** To be called before the router listens: listeners of a window are called in their order, be they for capturing or not. */
export function listenForBack(): void {
  addEventListener('popstate', (event) => {
    if (!guard || guard.mayLeave()) return;
    // The router is not told: the page stays as it is, and so does its address.
    event.stopImmediatePropagation();
    history.pushState(history.state, '', guard.here);
  });
}
