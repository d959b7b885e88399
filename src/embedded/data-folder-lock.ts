import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOfDraft, writeAtomicFile } from '../lib/atomic-file.ts';
import { UserError } from '../lib/errors.ts';
import { type Answer, answerConnection, type LockOwner } from './control-channel.ts';
import { isListening, listenAt } from './local-socket.ts';

/*
 * Each process announces itself by a file of its own, `lock.<random>`, beside the socket `lock.<random>.sock` on which
 * it already listens. Then it looks for others, and owns the lock only where it finds none alive. Of two processes
 * the later to announce itself finds the earlier one, so never do two own it. Two that find each other both withdraw and
 * try again. A process is dead when the kernel knows no listener on its socket. That is final, as names are never used twice:
 * whoever finds a dead one may delete its files, at any later time.
 */
const LOCK_NAME = /^lock\.[0-9a-f]{16}$/;

const HOUR_MS = 3_600_000;

interface LockFile {
  pid: number;
  command: string;
  since: string;
  host: string;
  /** Of the running kernel, where it has one (Linux). */
  bootId?: string;
}

/** With a random pause between two attempts, so that two processes do not stay in step; under 1.5 s in all. */
const MAX_ATTEMPTS = 30;
const MAX_PAUSE_MS = 50;

/** Another process of this machine holds the data folder; it can be asked, see askLockOwner. */
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
  /** What this process was started as, for people: `orgdesk serve`. */
  command: string;
  /** Does what other processes ask for, from the moment the folder is locked; absent: they are refused. */
  answer?: Answer;
  /** Is told each error of `answer` that is not a UserError; absent: Node prints a warning. */
  onError?: (error: unknown) => void;
}

/**
 * Acquires the lock of the data folder, until disposed of or until the process ends, however it ends.
 * Makes the folder (mode 0700) where it is missing.
 *
 * @throws FolderInUseError at once where another process has it
 * @throws UserError where a process of another machine may have it, and where the folder cannot be used
 */
export async function lockDataFolder(folder: string, options: LockOptions): Promise<AsyncDisposable> {
  const path = resolve(folder);
  const file = join(path, `lock.${randomBytes(8).toString('hex')}`);
  const failed = options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
  let answer: Answer = refuse(`"${options.command}" is only just starting. Try again.`);
  let listening: AsyncDisposable | undefined;

  // The socket goes first: a lock file without one is dead, and the next process deletes it.
  async function release(): Promise<void> {
    await listening?.[Symbol.asyncDispose]();
    await rm(file, { force: true });
  }

  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await refuseWritableByAll(path);
    const bootId = await readBootId();
    listening = await listenAt(socketOf(file), (connection) => {
      void answerConnection(connection, (...asked) => answer(...asked), failed);
    });
    await announceUntilAlone(path, file, {
      pid: process.pid,
      command: options.command,
      since: new Date().toISOString(),
      host: hostname(),
      ...(bootId === undefined ? {} : { bootId }),
    });
    await removeUnannounced(path);
  } catch (error) {
    await release().catch(() => undefined); // the first error is the one to tell
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UserError(
      `The data folder ${path} cannot be used: ${error.message}. It must be on a local disk, and writable for this user.`,
      { cause: error },
    );
  }
  answer = options.answer ?? refuse(`"${options.command}" takes no requests. Try again when it has ended.`);
  return { [Symbol.asyncDispose]: release };
}

const WRITABLE_BY_ALL = 0o002;

/** Whoever may write to the folder can put another database in the place of this one. Windows has no such rights. */
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
    // Not even after a power failure is there a lock file without its content.
    await writeAtomicFile(file, JSON.stringify(own), 0o600);
    const rival = await findRival(folder, file, own.bootId);
    if (rival === undefined) return;
    await rm(file, { force: true });
    if (attempts === MAX_ATTEMPTS) throw new FolderInUseError(folder, rival);
    await sleep(Math.random() * MAX_PAUSE_MS);
  }
}

/** Another process that has announced itself on the folder, the first of several. Deletes what dead ones have left. */
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

/** Deletes what was left by processes that were killed before they had announced themselves: what is an hour old. */
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

/** Undefined where the file has gone: its process has released the folder. */
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
    // Not JSON: corrupt like JSON of another form.
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

function refuse(message: string): Answer {
  return () => Promise.reject(new UserError(message));
}

/** Names the running kernel until its next start; the same in all containers. */
async function readBootId(): Promise<string | undefined> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return undefined;
  }
}
