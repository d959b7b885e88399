import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOfDraft, writeAtomicFile } from '../lib/atomic-file.ts';
import { UserError } from '../lib/errors.ts';
import { type Answer, controlServer, type LockOwner } from './control-channel.ts';
import { isListening, listenAt } from './local-socket.ts';

/*
 * Each process announces itself by its own file, `lock.<random>`, next to the socket `lock.<random>.sock` on which it already listens. Then
 * it looks for others, and owns the lock only if it finds none alive. Of two processes, the later to announce itself finds the earlier one,
 * so two never own it. Two that find each other both withdraw and retry. A process is dead when the kernel knows no listener on its socket.
 * That is final, as names are never reused: any process may delete the files of a dead one, at any later time.
 */
const LOCK_NAME = /^lock\.[0-9a-f]{16}$/;

const HOUR_MS = 3_600_000;

interface LockFile {
  pid: number;
  command: string;
  since: string;
  host: string;
  /** Boot id of the running kernel, where it has one (Linux). */
  bootId?: string;
}

/** Attempts are separated by random pauses, to break the symmetry of two processes; under 1.5 s in all. */
const MAX_ATTEMPTS = 30;
const MAX_PAUSE_MS = 50;

/** Another process of this machine holds the data folder; it accepts requests, see askLockOwner. */
export class FolderInUseError extends UserError {
  readonly owner: LockOwner;

  constructor(folder: string, owner: LockOwner) {
    const where = owner.host === hostname() ? '' : ` on ${owner.host}`;
    super(
      `The data folder ${folder} is in use by "${owner.command}" (pid ${owner.pid}${where}, since ${owner.since}). ` +
        'Stop that process first, or set DATA_DIR to another folder.',
    );
    this.owner = owner;
  }
}

export interface LockOptions {
  /** The command line shown to people: `orgdesk serve`. */
  command: string;
  /** Handles requests of other processes from the moment the folder is locked; absent: they are refused. */
  answer?: Answer;
  /** Receives each error of `answer` that is not a UserError; absent: Node prints a warning. */
  onError?: (error: unknown) => void;
}

/**
 * Acquires the lock of the data folder, held until disposal or the end of the process, even by a kill. Creates a missing folder (mode
 * 0700).
 *
 * @throws FolderInUseError at once if another process holds it
 * @throws UserError if a process of another machine may hold it, or the folder cannot be used
 */
export async function lockDataFolder(folder: string, options: LockOptions): Promise<AsyncDisposable> {
  const path = resolve(folder);
  const file = join(path, `lock.${randomBytes(8).toString('hex')}`);
  const failed = options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
  let answer: Answer = refusal(`"${options.command}" is only just starting. Try again.`);
  let listening: AsyncDisposable | undefined;

  // Socket first: a lock file without a listener is dead, and the next process deletes it.
  async function release(): Promise<void> {
    await listening?.[Symbol.asyncDispose]();
    await rm(file, { force: true });
  }

  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await refuseWritableByAll(path);
    const bootId = await readBootId();
    listening = await listenAt(
      socketOf(file),
      controlServer((...request) => answer(...request), failed),
    );
    await announceUntilAlone(path, file, {
      pid: process.pid,
      command: options.command,
      since: new Date().toISOString(),
      host: hostname(),
      ...(bootId === undefined ? {} : { bootId }),
    });
    await removeUnannounced(path);
  } catch (error) {
    await release().catch(() => undefined); // report the first error
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UserError(
      `The data folder ${path} cannot be used: ${error.message}. It must be on a local disk, and writable for this user.`,
      { cause: error },
    );
  }
  answer = options.answer ?? refusal(`"${options.command}" takes no requests. Try again when it has ended.`);
  return { [Symbol.asyncDispose]: release };
}

const WRITABLE_BY_ALL = 0o002;

/** A user with write access to the folder could replace the database. Windows has no such mode bits. */
async function refuseWritableByAll(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if (process.platform === 'win32' || (mode & WRITABLE_BY_ALL) === 0) return;
  throw new UserError(
    `The data folder ${folder} can be written to by every user of this machine: take that right away (chmod o-w ${folder}), ` +
      'or let DATA_DIR name a new folder within it.',
  );
}

async function announceUntilAlone(folder: string, file: string, own: LockFile): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const owner = await findRival(folder, file, own.bootId);
    if (owner !== undefined) throw new FolderInUseError(folder, owner);
    // Atomic: even a power failure leaves no lock file without content.
    await writeAtomicFile(file, JSON.stringify(own), 0o600);
    const rival = await findRival(folder, file, own.bootId);
    if (rival === undefined) return;
    await rm(file, { force: true });
    if (attempts === MAX_ATTEMPTS) throw new FolderInUseError(folder, rival);
    await sleep(Math.random() * MAX_PAUSE_MS);
  }
}

/** Returns the live process that announced itself first, if any. Deletes the files of dead ones. */
async function findRival(folder: string, ownFile: string, bootId: string | undefined): Promise<LockOwner | undefined> {
  const rivals: LockOwner[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (!LOCK_NAME.test(name) || file === ownFile) continue;
    const found = await readLockFile(file);
    if (found === undefined) continue;
    if (found.host !== hostname() && (found.bootId === undefined || found.bootId !== bootId)) {
      throw new UserError(
        `The data folder ${folder} is in use by "${found.command}" on another machine, ${found.host} ` +
          `(pid ${found.pid}, since ${found.since}). Stop it there. If that machine is gone for good, delete ${file}.`,
      );
    }
    const socket = socketOf(file);
    if (await isListening(socket)) {
      rivals.push({ pid: found.pid, command: found.command, since: found.since, host: found.host, socket });
    } else {
      await rm(socket, { force: true });
      await rm(file, { force: true });
    }
  }
  return rivals.sort((a, b) => (a.since < b.since ? -1 : 1))[0];
}

/** Deletes files over an hour old of processes that were killed before they announced themselves. */
async function removeUnannounced(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names) {
    const lock = nameOfDraft(name) ?? name.replace(/\.sock$/, '');
    if (
      lock === name ||
      !LOCK_NAME.test(lock) ||
      names.includes(lock) ||
      (await isListening(socketOf(join(folder, lock))))
    )
      continue;
    const file = join(folder, name);
    const made = await stat(file).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > HOUR_MS) await rm(file, { force: true });
  }
}

/** Undefined if the file is gone: its process has released the folder. */
async function readLockFile(file: string): Promise<LockFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const content: unknown = JSON.parse(text);
    if (isLockFile(content)) return content;
  } catch {
    // Not JSON: as damaged as JSON of another shape.
  }
  throw new UserError(`${file} is damaged. If no orgdesk is running on this folder, delete it.`);
}

function isLockFile(value: unknown): value is LockFile {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, command, since, host, bootId = '' } = value as Record<string, unknown>;
  return Number.isInteger(pid) && [command, since, host, bootId].every((text) => typeof text === 'string');
}

function socketOf(file: string): string {
  return `${file}.sock`;
}

function refusal(message: string): Answer {
  return () => Promise.reject(new UserError(message));
}

/** Identifies the running kernel until its next boot; the same in all containers. */
async function readBootId(): Promise<string | undefined> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return undefined;
  }
}
