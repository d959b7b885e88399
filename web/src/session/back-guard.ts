interface Guard {
  /** Returns whether the page may be left; asks the user where something would be lost. */
  mayLeave: () => boolean;
  /** The address of the guarded page. */
  here: string;
}

let guard: Guard | undefined;

/** Guards Back and Forward on this page. @returns a function that removes the guard */
export function guardBack(mayLeave: () => boolean): () => void {
  const own = { mayLeave, here: location.href };
  guard = own;
  return () => {
    if (guard === own) guard = undefined;
  };
}

/** To be called before the router listens: listeners on window run in the order of their registration, capturing or not. */
export function listenForBack(): void {
  addEventListener('popstate', (event) => {
    if (!guard || guard.mayLeave()) return;
    // The router does not see the event, and the address is restored: the page stays.
    event.stopImmediatePropagation();
    history.pushState(history.state, '', guard.here);
  });
}
