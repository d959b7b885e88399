import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/*
 * PostgreSQL in its own thread: receives messages of its protocol and posts the answers, in order. Plain JavaScript: worker threads do not
 * read TypeScript, even if their process does.
 */
// PGlite clears the buffers at each start, and a process keeps what was cleared: an eighth of PostgreSQL's default.
const options = {
  dataDir: workerData.dataDir,
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
};
const pglite = await PGlite.create(
  // The only members of Blob that PGlite uses; Node's own Blob is slow to read.
  workerData.dump ? { ...options, loadDataDir: /** @type {Blob} */ ({ type: '', arrayBuffer: takeDump }) } : options,
);

/** Returns the dump, which nothing holds any longer: it is as large as the database. */
async function takeDump() {
  const { dump } = workerData;
  workerData.dump = undefined;
  return dump;
}

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
