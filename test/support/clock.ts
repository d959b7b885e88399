/** Stops the clock of this process at a moment (milliseconds since 1970). Disposing starts it again. */
export function stopClock(moment: number): Disposable {
  const RunningDate = Date;
  globalThis.Date = class extends RunningDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [moment] : given) as [number]));
    }
    static override now(): number {
      return moment;
    }
  } as DateConstructor;
  return {
    [Symbol.dispose]() {
      globalThis.Date = RunningDate;
    },
  };
}
