import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps `process.nextTick` fast for as long as the process lives. Node makes an object for each call. Where a garbage collection
 * finds none of them alive, as in a service that was idle, V8 forgets their hidden class, and each later one takes eight
 * times as long (Node 20.20: 420 ns instead of 55, and a request makes a dozen). One that is kept alive keeps the class.
 * `npm run bench:ticks` shows both.
 */
export function keepTicksFast(): void {
  const hook = createHook({
    init(_asyncId, type, _triggerAsyncId, resource) {
      if (type === 'TickObject') kept.push(resource);
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
}
