import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { installOwnPackages } from '../../assets/own-packages.ts';
import { freePort } from '../support/free-port.ts';

/** What answers on loopback, as a registry does. */
export interface Registry extends AsyncDisposable {
  readonly address: string;
}

/**
 * Starts Verdaccio with nothing published, and waits until it answers. It has the packages of others from the registry that npm has here.
 *
 * @returns also the options of npm for somebody who is signed in there
 */
export async function startRegistry(
  folder: string,
  upstream: string,
): Promise<Registry & { options: readonly string[] }> {
  mkdirSync(folder);
  const address = `http://127.0.0.1:${await freePort()}/`;
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'people') } },
    uplinks: { upstream: { url: upstream, timeout: '60s' } },
    packages: {
      'orgdesk{,-client}': { access: '$all', publish: '$authenticated' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '200mb',
    log: { type: 'stdout', level: 'error' },
  };
  // What is JSON is YAML, too.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const program = join(installOwnPackages('test/release'), 'verdaccio/bin/verdaccio');
  const words = ['--config', join(folder, 'config.yaml'), '--listen', address];
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  };
  try {
    const token = await signUp(address, () => child.exitCode === null);
    const settings = join(folder, '.npmrc');
    writeFileSync(settings, `${address.slice('http:'.length)}:_authToken=${token}\n`);
    const options = ['--userconfig', settings, '--registry', address];
    return { address, options, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes somebody known to the registry, as soon as it answers. @returns their token */
async function signUp(address: string, isRunning: () => boolean): Promise<string> {
  const [name, password] = ['rehearsal', crypto.randomUUID()];
  const body = JSON.stringify({ name, password });
  const headers = { 'content-type': 'application/json' };
  while (isRunning()) {
    const answer = await fetch(`${address}-/user/org.couchdb.user:${name}`, { method: 'PUT', headers, body }).catch(
      () => undefined,
    );
    if (answer === undefined) await new Promise((done) => setTimeout(done, 200));
    else if (answer.status === 201) return ((await answer.json()) as { token: string }).token;
    else throw new Error(`The registry answers ${answer.status}`);
  }
  throw new Error('The registry has ended');
}

/** Serves the wheels of a folder as the simple index of PEP 503 does. */
export async function startIndex(folder: string, name: string): Promise<Registry> {
  const server = createServer(({ url = '' }, response) => {
    if (url === `/simple/${name}/`) {
      const links = readdirSync(folder).filter((file) => file.endsWith('.whl'));
      response.setHeader('content-type', 'text/html');
      response.end(links.map((file) => `<a href="/files/${file}">${file}</a>`).join('\n'));
    } else if (url.startsWith('/files/')) createReadStream(join(folder, basename(url))).pipe(response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
