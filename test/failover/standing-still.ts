/** Milliseconds between two looks at the clock. */
const INTERVAL = 100;

/**
 * Watches for times in which this process did not get to run, and the machine with it: a paused virtual machine, for
 * instance. Gives a function that ends the watch and tells the longest such time, in milliseconds.
 */
export function watchClock(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - INTERVAL);
    last = now;
  }, INTERVAL);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
