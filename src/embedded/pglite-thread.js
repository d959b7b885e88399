import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/*
 * PostgreSQL in its own thread: receives messages of its protocol and posts the answers, in order. Plain JavaScript: worker threads do not
 * read TypeScript, even if their process does.
 */

/** Files whose `fsync` is one of the operating system: Emscripten's file system of Node has none. */
class SyncedFiles extends NodeFS {
  /**
   * @override
   * @type {NodeFS['init']}
   */
  async init(pglite, options) {
    const { emscriptenOpts } = await super.init(pglite, options);
    // Before PostgreSQL starts: what it says of its state must be on the disk first.
    const preRun = [...[emscriptenOpts.preRun ?? []].flat(), syncFiles];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

/** @param {any} program the type of PGlite's program has no file systems */
function syncFiles({ NODEFS }) {
  /** @param {{ nfd?: number, node: object }} stream */
  NODEFS.stream_ops.fsync = (stream) => {
    if (stream.nfd !== undefined) fdatasyncSync(stream.nfd);
    else {
      // A folder: its entries are synced by its path.
      const folder = openSync(NODEFS.realPath(stream.node), 'r');
      fsyncSync(folder);
      closeSync(folder);
    }
    return 0;
  };
}

const { dataDir, sync } = workerData;
const settings = {
  // PGlite clears the buffers at each start, and a process keeps what was cleared: an eighth of PostgreSQL's default.
  shared_buffers: '16MB',
  // The log that a checkpoint keeps for the next one.
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  // PGlite's default is off, and of PostgreSQL's ways it implements this one.
  ...(sync && { fsync: 'on', wal_sync_method: 'fsync' }),
};
const options = {
  ...(sync ? { fs: new SyncedFiles(dataDir) } : { dataDir }),
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
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
