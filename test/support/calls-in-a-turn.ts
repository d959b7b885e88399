/** Counts the calls of a method, and those in each turn of the event loop, until it is disposed of. */
export interface CountedCalls extends Disposable {
  all(): number;
  /** The most in one turn. */
  most(): number;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

export function countCallsInATurn<Name extends string>(of: Record<Name, unknown>, name: Name): CountedCalls {
  const owner = of as Record<Name, Method>;
  const { [name]: method } = owner;
  let [all, most, inTurn] = [0, 0, 0];
  let immediate = setImmediate(startTurn);
  function startTurn(): void {
    inTurn = 0;
    immediate = setImmediate(startTurn);
  }
  owner[name] = function counted(...values) {
    all++;
    most = Math.max(most, ++inTurn);
    return method.apply(this, values);
  };
  return {
    all: () => all,
    most: () => most,
    [Symbol.dispose]() {
      clearImmediate(immediate);
      owner[name] = method;
    },
  };
}
