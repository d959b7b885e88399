import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rm, symlink, unlink } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../lib/errors.ts';

/** A unix socket address holds 104 bytes on macOS and 108 on Linux, including the final NUL. Node silently truncates a longer one. */
const MAX_PATH_BYTES = 103;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Listens on a unix socket of mode 0600 until disposal, which ends open connections and removes the socket. It does not keep the process
 * running.
 *
 * @param path absolute, of any length, and not yet in use
 */
export async function listenAt(path: string, connected: (connection: Socket) => void): Promise<AsyncDisposable> {
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => undefined); // the peer has gone, nothing to report
    connected(connection);
  });
  async function close(): Promise<void> {
    for (const connection of connections) connection.destroy();
    await new Promise((closed) => server.close(closed));
    await rm(path, { force: true });
  }
  try {
    await withShortPath(path, async (short) => {
      server.listen(short);
      await once(server, 'listening');
    });
    await chmod(path, 0o600);
  } catch (error) {
    await close();
    throw error;
  }
  server.unref();
  return { [Symbol.asyncDispose]: close };
}

/**
 * Connects to a unix socket within one second.
 *
 * @param path absolute, of any length
 */
export async function connectTo(path: string): Promise<Socket> {
  return withShortPath(path, async (short) => {
    const connection = connect(short);
    connection.on('error', () => undefined); // readers of the connection get the error too
    try {
      await once(connection, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  });
}

/**
 * Whether a process listens on a unix socket. The kernel answers, not the process, so a busy or stopped process counts too. True in doubt
 * (no permission, timeout).
 */
export async function isListening(path: string): Promise<boolean> {
  try {
    const connection = await connectTo(path);
    connection.destroy();
    return true;
  } catch (error) {
    return !nobodyListens(error);
  }
}

/** Whether an error of {@link connectTo} proves that no process listens on the socket. */
export function nobodyListens(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false;
  return error.syscall === 'connect' && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT');
}

/** Passes on a path that fits into a socket address; one that is too long goes through a short-lived symlink to its folder. */
async function withShortPath<Result>(path: string, use: (short: string) => Promise<Result>): Promise<Result> {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const link = join(tmpdir(), `orgdesk-${randomBytes(6).toString('hex')}`);
  const short = join(link, basename(path));
  if (Buffer.byteLength(short) > MAX_PATH_BYTES) {
    throw new UserError(
      `The folder for temporary files, ${tmpdir()}, has too long a name: set TMPDIR to a shorter one.`,
    );
  }
  await symlink(dirname(path), link);
  try {
    return await use(short);
  } finally {
    await unlink(link);
  }
}
