import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { deferred } from '../../src/lib/deferred.ts';
import { waitUntil } from '../support/wait-until.ts';
import { CHROMIUM, startBrowser } from './browser.ts';

/** A browser that opens pages, with a TimeoutError where it hangs. Playwright cannot drive an unchanged Firefox or WebKit. */
export interface Engine extends AsyncDisposable {
  open: (address: string) => Promise<void>;
  /** Returns the value of an expression in the page. */
  evaluate: (expression: string) => Promise<string>;
}

interface Installed {
  name: string;
  /** Debian's packages of it. */
  packages: string;
  isInstalled: () => boolean;
  start: () => Promise<Engine>;
}

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const WEBKIT = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';
const XVFB = '/usr/bin/Xvfb';
/** The browser that the driver of WebKit starts, in Debian's folder for the processor. */
const MINI_BROWSER = (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
  .map((folder) => join('/usr/lib', folder, 'webkit2gtk-4.1/MiniBrowser'))
  .find((path) => existsSync(path));
const DEADLINE_MS = 60_000;

export const ENGINES: readonly Installed[] = [
  {
    name: 'Chromium',
    packages: 'chromium-headless-shell',
    isInstalled: () => existsSync(CHROMIUM),
    start: startChromium,
  },
  { name: 'Firefox', packages: 'firefox-esr', isInstalled: () => existsSync(FIREFOX), start: startFirefox },
  {
    name: 'WebKit',
    packages: 'webkit2gtk-driver xvfb',
    isInstalled: () => existsSync(WEBKIT) && existsSync(XVFB) && MINI_BROWSER !== undefined,
    start: startWebKit,
  },
];

async function startChromium(): Promise<Engine> {
  const browser = await startBrowser();
  const page = await browser.newPage();
  return {
    open: async (url) => {
      await page.goto(url);
    },
    evaluate: (expression) => page.evaluate(expression),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Starts Firefox without a window, to be told what to do by WebDriver BiDi. */
async function startFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'orgdesk-firefox-'));
  const browser = spawn(FIREFOX, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => stop([browser], profile);
  try {
    const socket = await connect(`${await printed(browser.stderr, /WebDriver BiDi listening on (ws:\S+)/)}/session`);
    const send = answered(socket);
    await send('session.new', { capabilities: {} });
    const { context } = await send('browsingContext.create', { type: 'tab' });
    return {
      open: async (url) => {
        await send('browsingContext.navigate', { context, url, wait: 'complete' });
      },
      async evaluate(expression) {
        const evaluated = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
        if (evaluated.type !== 'success') throw new Error(`${expression}: ${JSON.stringify(evaluated)}`);
        return (evaluated.result as { value: string }).value;
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The part of a WebSocket that is used. */
interface Socket extends NodeJS.EventEmitter {
  send: (text: string) => void;
}

async function connect(url: string): Promise<Socket> {
  // Node 20 has no WebSocket of its own.
  const { ws } = createRequire(import.meta.url)('playwright-core/lib/utilsBundle') as {
    ws: new (url: string) => Socket;
  };
  const socket = new ws(url);
  await once(socket, 'open', { signal: AbortSignal.timeout(DEADLINE_MS) });
  return socket;
}

/** Returns a function that sends a command, and returns its result. */
function answered(socket: Socket) {
  const waiting = new Map<number, ReturnType<typeof deferred<Record<string, unknown>>>>();
  socket.on('message', (data: Buffer) => {
    const { id, result, message } = JSON.parse(data.toString());
    if (message === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(message));
  });
  return (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = waiting.size;
    const answer = deferred<Record<string, unknown>>();
    const late = AbortSignal.timeout(DEADLINE_MS);
    late.addEventListener('abort', () => answer.reject(late.reason));
    waiting.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  };
}

/** Starts WebKit on a screen that nobody sees, to be told what to do by WebDriver. */
async function startWebKit(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-webkit-'));
  const screen = spawn(XVFB, ['-displayfd', '1', '-screen', '0', '1300x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const children: ChildProcess[] = [screen];
  const end = () => stop(children, folder);
  try {
    const display = `:${await printed(screen.stdout, /(\d+)\n/)}`;
    const port = await freePort();
    // A language tag that is none: a machine without a locale has it.
    const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder, DISPLAY: display, LC_ALL: 'C' };
    children.unshift(spawn(WEBKIT, [`--port=${port}`], { env, stdio: 'ignore' }));
    const send = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const { value } = (await response.json()) as { value: { message?: string } };
      if (!response.ok) throw new Error(`${path}: ${value.message}`);
      return value;
    };
    const options = { 'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] } };
    let session = '';
    await waitUntil('the driver of WebKit to listen', async () => {
      const found = await send('', { capabilities: { alwaysMatch: options } }).catch((error: Error) => {
        if (error.message !== 'fetch failed') throw error;
      });
      session = (found as { sessionId: string } | undefined)?.sessionId ?? '';
      return session !== '';
    });
    return {
      open: async (url) => {
        await send(`/${session}/url`, { url });
      },
      evaluate: async (expression) =>
        String(await send(`/${session}/execute/sync`, { script: `return ${expression}`, args: [] })),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits for a process to print something, and returns its first group. */
async function printed(output: Readable, wanted: RegExp): Promise<string> {
  const late = AbortSignal.timeout(DEADLINE_MS);
  let text = '';
  for (;;) {
    const found = wanted.exec(text)?.[1];
    if (found !== undefined) break;
    const [piece] = (await once(output, 'data', { signal: late })) as [Buffer];
    text += piece.toString();
  }
  output.resume();
  return wanted.exec(text)?.[1] ?? '';
}

async function stop(children: readonly ChildProcess[], folder: string): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
