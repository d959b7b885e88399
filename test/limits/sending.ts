import { Agent, request as httpRequest } from 'node:http';

export interface Attack {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  token: string;
  body?: string;
  /** Absent: JSON, of SCIM where the path is. */
  contentType?: string;
  /** When the client goes away. */
  signal?: AbortSignal;
}

export interface AttackAnswer {
  /** 0: the client has gone before, or was cut off. */
  status: number;
  bytes: number;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and reads its answer whole. Never rejects. */
export function sendAttack(
  port: number,
  { method, path, token, body, contentType, signal }: Attack,
): Promise<AttackAnswer> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined
        ? {}
        : {
            'content-type': contentType ?? (path.startsWith('/scim/') ? 'application/scim+json' : 'application/json'),
            'content-length': Buffer.byteLength(body),
          }),
    };
    const nothing = { status: 0, bytes: 0, text: '' };
    const options = { host: '127.0.0.1', port, agent, method, path, headers, ...(signal ? { signal } : {}) };
    const request = httpRequest(options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', () => resolve(nothing));
      response.on('end', () => {
        const all = Buffer.concat(pieces);
        resolve({ status: response.statusCode ?? 0, bytes: all.length, text: all.toString() });
      });
    });
    request.on('error', () => resolve(nothing));
    request.end(body);
  });
}

/** How often each status came, in words. */
export function statusesInWords(answers: readonly { status: number }[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status || 'gone'}`)
    .join(', ');
}
