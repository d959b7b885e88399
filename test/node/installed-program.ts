import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Nothing of the script that runs this: no settings of npm, none of the service. */
export const CLEAN = Object.fromEntries(
  [
    'PATH',
    'HOME',
    'TMPDIR',
    'NODE_EXTRA_CA_CERTS',
    'HTTPS_PROXY',
    'NO_PROXY',
    'npm_config_registry',
    'npm_config_cafile',
  ]
    .map((name) => [name, process.env[name]] as const)
    .filter(([, value]) => value !== undefined),
) as Record<string, string>;
const NPM = process.env.npm_execpath ?? assert.fail('to be run by npm: npm run long -- node');

/** Where npm is installed. */
export function npmFolder(): string {
  return join(dirname(NPM), '..');
}

/** A program that ran to its end. */
export interface Ran {
  stdout: string;
  stderr: string;
}

/** Runs npm under a Node. */
export async function npm(node: string, words: readonly string[], folder: string): Promise<Ran> {
  const PATH = `${dirname(node)}${delimiter}${CLEAN.PATH}`;
  return execute(node, [NPM, ...words], { cwd: folder, env: { ...CLEAN, PATH }, maxBuffer: 1e8 });
}

/** Gets a Node of that version from the npm package `node`. @returns the path of the binary */
export async function installNode(version: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}\n');
  await npm(process.execPath, ['install', `node@${version}`], folder);
  return join(folder, 'node_modules/node/bin/node');
}

/** The program as a package installs it under a Node, in folders of its own. */
export class InstalledProgram {
  readonly #env: Record<string, string>;
  readonly #folder: string;

  constructor(node: string, folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    const PATH = [join(folder, 'bin'), dirname(node), CLEAN.PATH].join(delimiter);
    this.#env = { ...CLEAN, PATH, DATA_DIR: join(folder, 'data'), ...settings };
  }

  /** Runs words of a shell, in which `orgdesk` is the program. */
  shell(words: string): Promise<Ran> {
    return execute('bash', ['--norc', '-euo', 'pipefail', '-c', words], {
      cwd: this.#folder,
      env: this.#env,
      maxBuffer: 1e8,
    });
  }

  /** Starts the service, and waits until it says that it is ready. */
  async serve(): Promise<RunningService> {
    const child = spawn('orgdesk', ['serve'], { cwd: this.#folder, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    const service = new RunningService(child);
    await service.ready();
    return service;
  }
}

/** A service that has been started. */
export class RunningService {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'close');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  async ready(): Promise<void> {
    while (!this.stdout.includes('Ctrl+C')) {
      const end = await Promise.race([
        once(this.#child.stdout ?? this.#child, 'data').then(() => undefined),
        this.#ended,
      ]);
      if (end !== undefined) throw new Error(`It ended with ${end}:\n${this.stdout}${this.stderr}`);
    }
  }

  /** Where it listens. */
  get address(): string {
    return /ready at (\S+)/.exec(this.stdout)?.[1] ?? assert.fail(this.stdout);
  }

  /** @returns how it ended, and after how many milliseconds */
  async stop(signal: NodeJS.Signals): Promise<{ code: unknown; milliseconds: number }> {
    const began = performance.now();
    this.#child.kill(signal);
    const [code] = await this.#ended;
    return { code, milliseconds: performance.now() - began };
  }
}

/** Bytes of the files in a folder. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
