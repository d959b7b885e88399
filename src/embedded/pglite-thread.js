import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/*
 * PostgreSQL in a thread of its own: takes messages of its protocol and gives back the answers to them, one after the other.
 * In JavaScript, as threads of a process that reads TypeScript do not.
 */
const { dump, ...options } = workerData;
const pglite = await PGlite.create(
  // All that it asks of a Blob: Node's own gives its bytes slowly.
  dump ? { ...options, loadDataDir: /** @type {Blob} */ ({ type: '', arrayBuffer: async () => dump }) } : options,
);

/** @type {Promise<unknown>} */
let last = Promise.resolve();
parentPort?.on('message', (message) => {
  last = last.then(() => answer(message));
});
parentPort?.postMessage('open');

/** @param {Uint8Array | 'dump' | 'close'} message */
async function answer(message) {
  if (message === 'close') {
    await pglite.close();
    parentPort?.close();
  } else if (message === 'dump') {
    const dumped = await pglite.dumpDataDir('none');
    parentPort?.postMessage(await dumped.arrayBuffer());
  } else {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const pieces = [];
    // Not its other ways to run messages: they read every answer too, and one of them keeps it.
    await pglite.execProtocolRawStream(message, { onRawData: (bytes) => pieces.push(bytes.slice()) });
    parentPort?.postMessage(
      pieces,
      pieces.map(({ buffer }) => buffer),
    );
  }
}
