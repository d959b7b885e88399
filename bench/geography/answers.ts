import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askAll } from '../support/load.ts';

type Headers = Readonly<Record<string, string>>;

/** What the bare server sends: answers of the service. */
export interface RecordedAnswers {
  /** The file that holds the bodies, one after the other. */
  bodies: string;
  /** Heads that differ in the length of the body alone, each with what is asked for ({@link keyOf}), and where its body begins and ends. */
  kinds: { headers: Headers; answers: [key: string, start: number, end: number][] }[];
}

/** What tells one request from another. */
export function keyOf(method: string, url: string, acceptEncoding = '', body = ''): string {
  return `${method} ${url} ${acceptEncoding} ${body}`;
}

/** What a server writes into every head by itself, and what differs from body to body. */
const BY_SERVER = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** Asks the service each of the requests, kind by kind, and writes down what it answers. @returns the file with the {@link RecordedAnswers} */
export async function recordAnswers(
  port: number,
  kindsOfRequests: readonly (readonly Buffer[])[],
  folder: string,
): Promise<string> {
  const bodies: Buffer[] = [];
  let length = 0;
  const kinds: RecordedAnswers['kinds'] = [];
  for (const requests of kindsOfRequests) {
    const kind: RecordedAnswers['kinds'][number] = { headers: {}, answers: [] };
    for await (const answer of askAll(port, requests)) {
      const { headers, body } = readMessage(answer);
      kind.headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !BY_SERVER.has(name)));
      kind.answers.push([keyOfRequest(requests[kind.answers.length]), length, length + body.length]);
      bodies.push(body);
      length += body.length;
    }
    kinds.push(kind);
  }
  const recorded: RecordedAnswers = { bodies: join(folder, 'bodies'), kinds };
  await writeFile(recorded.bodies, bodies);
  const index = join(folder, 'answers.json');
  await writeFile(index, JSON.stringify(recorded));
  return index;
}

function keyOfRequest(request: Buffer = Buffer.alloc(0)): string {
  const { start, headers, body } = readMessage(request);
  const [method = '', url = ''] = start.split(' ');
  return keyOf(method, url, headers['accept-encoding'], body.toString());
}

/** Takes a request or an answer apart: first line, headers by their names in lower case, and body. */
export function readMessage(message: Buffer): { start: string; headers: Headers; body: Buffer } {
  const end = message.indexOf('\r\n\r\n');
  const [start = '', ...lines] = message.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { start, headers: Object.fromEntries(headers), body: message.subarray(end + 4) };
}
