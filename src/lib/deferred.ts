export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
}

/** Returns a promise that is resolved from outside (`Promise.withResolvers`, which Node 20 does not have). */
export function deferred<Value = void>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}
