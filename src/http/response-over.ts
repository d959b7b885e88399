import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses of a connection that are not over, in the order of their requests, each with what is to be called then. */
type Unfinished = Map<ServerResponse, (() => void)[]>;

const unfinishedOn = new WeakMap<Socket, Unfinished>();

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
  const callbacks = unfinished.get(response);
  if (callbacks !== undefined) {
    callbacks.unshift(callback);
    return;
  }
  unfinished.set(response, [callback]);
  // Not `once`: to take the listener away again costs the garbage collector far more than to leave it.
  response.on('finish', () => end(unfinished, response));
}

function watch(socket: Socket): Unfinished {
  const known = unfinishedOn.get(socket);
  if (known !== undefined) return known;
  const unfinished: Unfinished = new Map();
  unfinishedOn.set(socket, unfinished);
  socket.once('close', () => {
    for (const response of unfinished.keys()) end(unfinished, response);
  });
  return unfinished;
}

function end(unfinished: Unfinished, response: ServerResponse): void {
  const callbacks = unfinished.get(response) ?? [];
  unfinished.delete(response);
  for (const callback of callbacks) callback();
}

/**
 * Calls back when the answers are over that are due on a connection or on their way, at once where none is: what is written before would be taken for
 * one of them, or for a part of it. To a request that is still arriving none is due.
 */
export function afterAnswersDue(socket: Socket, callback: () => void): void {
  const unfinished = [...(unfinishedOn.get(socket) ?? [])];
  const last = unfinished.findLast(([response]) => response.headersSent || response.req.complete);
  if (last === undefined) callback();
  else last[1].push(callback);
}
