import { readFileSync } from 'node:fs';
import { call } from './call.ts';

/** The settings by which npm reaches its registry from here, for a machine that has no file of this one. */
export async function npmSettings(): Promise<string> {
  const [registry, cafile] = await Promise.all(['registry', 'cafile'].map(npmSetting));
  const text = cafile ? readFileSync(cafile, 'utf8') : '';
  const authorities = text.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
  return [`registry=${registry}`, ...authorities.map((each) => `ca[]=${JSON.stringify(each)}`), ''].join('\n');
}

async function npmSetting(name: string): Promise<string> {
  const { stdout } = await call(['npm', 'config', 'get', name]);
  const value = stdout.trim();
  return value === 'null' || value === 'undefined' ? '' : value;
}
