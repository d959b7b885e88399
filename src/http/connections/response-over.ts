import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { removeFrom } from '../../lib/remove-from.ts';

/** A response that is not over, and its callbacks. */
interface Unfinished {
  readonly response: ServerResponse;
  readonly callbacks: (() => void)[];
}

/** Unfinished responses per connection, in the order of their requests. */
const unfinishedOn = new WeakMap<Socket, Unfinished[]>();

/**
 * Calls back once when a response is over: handed to the operating system to its last byte, or its connection closed.
 * Calls back at once if it is over already; the callback added last runs first.
 *
 * The connection itself is watched, as Node emits no event on a queued response whose connection closes.
 */
export function whenOver(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  if (response.writableFinished || socket.destroyed) {
    callback();
    return;
  }
  const unfinished = watch(socket);
  const known = unfinished.find((each) => each.response === response);
  if (known !== undefined) {
    known.callbacks.unshift(callback);
    return;
  }
  const added = { response, callbacks: [callback] };
  unfinished.push(added);
  // Not `once`: removing the listener costs the garbage collector far more than leaving it.
  response.on('finish', () => end(unfinished, added));
}

function watch(socket: Socket): Unfinished[] {
  const known = unfinishedOn.get(socket);
  if (known !== undefined) return known;
  const unfinished: Unfinished[] = [];
  unfinishedOn.set(socket, unfinished);
  socket.once('close', () => {
    for (const each of [...unfinished]) end(unfinished, each);
  });
  return unfinished;
}

function end(unfinished: Unfinished[], over: Unfinished): void {
  removeFrom(unfinished, over);
  for (const callback of over.callbacks.splice(0)) callback();
}

/**
 * Calls back when all responses that are due or being sent on a connection are over, at once if there is none: bytes
 * written earlier would be read as part of one of them. None is due to a request that is still arriving.
 */
export function afterAnswersDue(socket: Socket, callback: () => void): void {
  const unfinished = unfinishedOn.get(socket) ?? [];
  const last = unfinished.findLast(({ response }) => response.headersSent || response.req.complete);
  if (last === undefined) callback();
  else last.callbacks.push(callback);
}
