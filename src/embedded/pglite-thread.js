import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/*
 * PostgreSQL in its own thread: receives messages of its protocol and posts the answers, in order. Plain JavaScript: worker threads do not
 * read TypeScript, even if their process does.
 */
const { dump, ...options } = workerData;
const pglite = await PGlite.create(
  // The only members of Blob that PGlite uses; Node's own Blob is slow to read.
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
    // The other ways to run messages also parse every answer, and one of them retains it.
    await pglite.execProtocolRawStream(message, { onRawData: (bytes) => pieces.push(bytes.slice()) });
    parentPort?.postMessage(
      pieces,
      pieces.map(({ buffer }) => buffer),
    );
  }
}
