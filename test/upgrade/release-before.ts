import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sourceFile } from '../../assets/geography/sources.ts';

/** The commit of the previous release, 0.3.0. */
export const COMMIT = '348be869c6d030753a696112fc55f1ae87c91edb';
/** Old tests that are not about what an instance does: plans depend on indexes, others look at the schema or change it, one needs a package. */
const NOT_MEANT = /plans\.test|\.long\.test|fields-everywhere\.test/;

type Settings = Readonly<Record<string, string>>;

/** Returns whether the history has it: a shallow clone does not. */
export function hasReleaseBefore(): boolean {
  return spawnSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { stdio: 'ignore' }).status === 0;
}

/** The previous release: its sources and tests, with the packages of this one. Disposing removes it, unless `RELEASE_FOLDER` keeps it. */
export interface ReleaseBefore extends Disposable {
  /** Runs a script of its sources. Returns what it prints. */
  run(script: string, settings: Settings): string;
  /** Serves in a process of its own. */
  serve(settings: Settings): Promise<{ address: string } & AsyncDisposable>;
  /** Runs its test files in these folders, to the end. Returns the names of the tests that failed, and how many passed. */
  test(folders: readonly string[], settings: Settings): Promise<{ passed: number; failed: string[]; output: string }>;
}

export function openReleaseBefore(): ReleaseBefore {
  const { RELEASE_FOLDER: kept } = process.env;
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'orgdesk-before-')) : resolve(kept);
  if (!existsSync(join(folder, 'node_modules'))) {
    mkdirSync(folder, { recursive: true });
    execFileSync('sh', ['-c', `git archive ${COMMIT} | tar -x -C '${folder}'`]);
    // The packages have the same versions; what the program packs of them is its own.
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    symlinkSync(sourceFile(''), join(folder, 'assets/geography/node_modules'));
  }
  execFileSync(process.execPath, ['--import', 'tsx', 'assets/build.ts'], { cwd: folder });
  const start = (words: readonly string[], settings: Settings) =>
    spawn(process.execPath, ['--import', 'tsx', '--liftoff-only', ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  return {
    run(script, settings) {
      const file = join(folder, 'script.ts');
      writeFileSync(file, script);
      const env = { PATH: process.env.PATH, ...settings };
      return execFileSync(process.execPath, ['--import', 'tsx', file], { cwd: folder, env, encoding: 'utf8' }).trim();
    },
    async serve(settings) {
      const child = start(['src/cli.ts', 'serve'], { PORT: '0', LOG_LEVEL: 'warn', DEMO_DATA: 'false', ...settings });
      let said = '';
      for await (const text of child.stdout.setEncoding('utf8')) {
        said += text;
        if (/ready at \S+ .*Ctrl\+C/s.test(said)) break;
      }
      const [, address = ''] = /ready at (\S+) /.exec(said) ?? [];
      return {
        address,
        async [Symbol.asyncDispose]() {
          child.kill('SIGTERM');
          if (child.exitCode === null) await once(child, 'exit');
        },
      };
    },
    async test(folders, settings) {
      const list = `ls ${folders.map((each) => `test/${each}/*.test.ts`).join(' ')}`;
      const files = execFileSync('sh', ['-c', list], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
      const meant = files.filter((file) => !NOT_MEANT.test(file));
      const script = join(folder, 'script.ts');
      writeFileSync(
        script,
        `import { runFiles } from './test/support/run-files.ts';
         const group = { name: 'before', files: ${JSON.stringify(meant)}, settings: Promise.resolve(${JSON.stringify(settings)}) };
         const [tally] = await runFiles([group], new AbortController().signal, { processes: 2 });
         console.log('\\n' + tally.passed + ' passed');
         process.exit();`,
      );
      const child = start([script], {});
      let output = '';
      for await (const text of child.stdout.setEncoding('utf8')) output += text;
      const failed = [...output.matchAll(/^✖ before: (.*)$/gm)].map(([, name = '']) => name);
      return { passed: Number(/^(\d+) passed$/m.exec(output)?.[1] ?? 0), failed, output };
    },
    [Symbol.dispose]() {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
