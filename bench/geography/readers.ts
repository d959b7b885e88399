import { connect, type Socket } from 'node:net';
import { requestBytes } from '../support/load.ts';

/**
 * A process of readers of the full list of cities, until it is killed: arguments are the port, how many pull it without
 * pause, and how many read it at so many bytes a second.
 */
const [port, pullers, slowReaders, bytesPerSecond] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
];
const REQUEST = requestBytes('GET', '/api/cities/list');

/** Turns a second in which a slow reader takes its share. */
const TURNS = 10;

function open(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', (error) => {
    throw error;
  });
  return socket;
}

function pull(): void {
  const socket = open();
  let missing = 0;
  socket.on('data', (chunk) => {
    if (missing === 0) {
      const head = chunk.toString('latin1', 0, 2000);
      missing = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]) + head.indexOf('\r\n\r\n') + 4;
    }
    missing -= chunk.length;
    if (missing === 0) socket.write(REQUEST);
  });
  socket.write(REQUEST);
}

function readSlowly(): void {
  const socket = open();
  socket.pause();
  setInterval(() => socket.read(Math.min(bytesPerSecond / TURNS, socket.readableLength)), 1000 / TURNS);
  socket.once('readable', () => undefined);
  socket.write(REQUEST);
}

for (let number = 0; number < pullers; number++) pull();
for (let number = 0; number < slowReaders; number++) readSlowly();
process.stdout.write(`http://127.0.0.1:${port}\n`);
