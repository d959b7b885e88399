import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { removeFrom } from '../../lib/remove-from.ts';

/** A response that is not over, and what is to be called then. */
interface Unfinished {
  readonly response: ServerResponse;
  readonly callbacks: (() => void)[];
}

/** Those of each connection, in the order of their requests. */
const unfinishedOn = new WeakMap<Socket, Unfinished[]>();

/**
 * Calls back once when a response is over: handed to the system to its last byte, or never to be, because its connection is closed. Of a
 * response that is queued behind another one Node says nothing when the connection closes, so the connection itself is watched. Calls back at once
 * where the response is over already; what was added last is called first.
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
  // Not `once`: to take the listener away again costs the garbage collector far more than to leave it.
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
 * Calls back when the answers are over that are due on a connection or on their way, at once where none is: what is written before would be taken for
 * one of them, or for a part of it. To a request that is still arriving none is due.
 */
export function afterAnswersDue(socket: Socket, callback: () => void): void {
  const unfinished = unfinishedOn.get(socket) ?? [];
  const last = unfinished.findLast(({ response }) => response.headersSent || response.req.complete);
  if (last === undefined) callback();
  else last.callbacks.push(callback);
}
