import assert from 'node:assert/strict';
import { waitUntil } from '../support/wait-until.ts';
import type { CommandOutput } from './call.ts';
import { type Engine, IMAGE } from './engine.ts';

export interface Started {
  volume: string;
  settings: Readonly<Record<string, string>>;
  /** `USER[:GROUP]` in the place of the image's own. */
  user?: string;
}

/** A container with the least that it may have: a read-only root file system, no capability, a volume. */
export class Container {
  readonly #engine: Engine;
  readonly name: string;

  private constructor(engine: Engine, name: string) {
    this.#engine = engine;
    this.name = name;
  }

  /** Starts one in the background. */
  static async start(engine: Engine, name: string, started: Started): Promise<Container> {
    await engine.run('run', '--detach', '--name', name, ...flags(engine, started), IMAGE);
    return new Container(engine, name);
  }

  /** Runs one to its end, without a name. */
  static run(engine: Engine, started: Started, ...words: readonly string[]): Promise<CommandOutput> {
    return engine.run('run', '--rm', ...flags(engine, started), IMAGE, ...words);
  }

  /** Waits until its health check says that it is well. @returns the milliseconds that it took */
  healthy(): Promise<number> {
    return waitUntil(
      `${this.name} to be healthy`,
      async () => {
        await this.#engine.probe(this.name);
        const { Status: status, ExitCode: code, Health: health } = await this.#state();
        assert.equal(status, 'running', `it has ended with ${code}: ${(await this.logs()).stderr}`);
        return health?.Status === 'healthy';
      },
      180_000,
    );
  }

  /** What it says when it has started, which is a moment after it answers. */
  async greeting(): Promise<string> {
    await waitUntil('its greeting', async () => (await this.logs()).stdout.includes('Ctrl+C'));
    return (await this.logs()).stdout;
  }

  logs(): Promise<CommandOutput> {
    return this.#engine.run('logs', this.name);
  }

  /** Runs a command in it. */
  execute(...words: readonly string[]): Promise<CommandOutput> {
    return this.#engine.run('exec', this.name, ...words);
  }

  /** Lines of a shell that make `orgdesk` the one in the container. */
  get shellFunction(): string {
    const words = [...this.#engine.command, 'exec', this.name, 'orgdesk'].map((word) => `'${word}'`);
    return `orgdesk() { ${words.join(' ')} "$@"; }\n`;
  }

  /** @returns how it ended, and after how many milliseconds */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number; milliseconds: number }> {
    const began = performance.now();
    await this.#engine.run('kill', '--signal', signal, this.name);
    const { stdout } = await this.#engine.run('wait', this.name);
    return { code: Number(stdout), milliseconds: performance.now() - began };
  }

  async #state(): Promise<State> {
    const { stdout } = await this.#engine.run('inspect', '--format', '{{json .State}}', this.name);
    return JSON.parse(stdout) as State;
  }
}

interface State {
  Status: string;
  ExitCode: number;
  Health?: { Status: string };
}

function flags(engine: Engine, { volume, settings, user }: Started): string[] {
  return [
    '--network=host',
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    ...engine.runFlags,
    '--volume',
    `${volume}:/data`,
    ...(user === undefined ? [] : ['--user', user]),
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
}
