import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail as the server got it. */
export interface Received {
  from: string;
  to: string;
  /** Header lines, unfolded. */
  headers: readonly string[];
  /** The whole text as it was sent, with what quoted-printable hides. */
  text: string;
}

/** An SMTP server in this process. */
export interface SmtpServer extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Answers a command with something else than success; `drop` cuts the connection, at `END` with the mail taken. */
  answer: (command: string) => string | undefined;
}

/** Starts the server. @param extensions that it offers */
export async function startSmtpServer(extensions: readonly string[] = ['8BITMIME', 'SMTPUTF8']): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const received: Received[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    const say = (line: string) => socket.write(`${line}\r\n`);
    let [buffer, from, to, isData] = ['', '', '', false];
    say('220 test ready');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffer += chunk;
      for (;;) {
        const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          received.push({ from, to, ...parsed(part) });
          const answer = running.answer('END') ?? '250 taken';
          if (answer === 'drop') socket.destroy();
          else say(answer);
          continue;
        }
        const word = part.slice(0, 4).toUpperCase();
        const other = running.answer(part);
        if (other === 'drop') socket.destroy();
        else if (other !== undefined) say(other);
        else if (word === 'EHLO')
          say(['250-test', ...extensions.map((each) => `250-${each}`), '250 HELP'].join('\r\n'));
        else if (word === 'DATA') {
          isData = true;
          say('354 go on');
        } else if (word === 'QUIT') socket.end('221 bye\r\n');
        else {
          if (word === 'MAIL') from = addressIn(part);
          if (word === 'RCPT') to = addressIn(part);
          say('250 fine');
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running: SmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => undefined,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return running;
}

const addressIn = (command: string) => /<(.*?)>/.exec(command)?.[1] ?? '';

function parsed(message: string): Pick<Received, 'headers' | 'text'> {
  const end = message.indexOf('\r\n\r\n');
  const headers = message
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const bytes = message
    .slice(end)
    .replaceAll('%', '%25')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, '%$1');
  return { headers, text: decodeURIComponent(bytes) };
}

/** Returns the value of a header, with encoded words decoded. */
export function headerOf({ headers }: Received, name: string): string | undefined {
  const found = headers.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  const value = found[0]?.slice(name.length + 2);
  return value
    ?.replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?(\w)\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeURIComponent(word.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1')),
    );
}
