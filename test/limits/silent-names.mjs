// Loaded into the service before it starts: its name server is the one of the test, which never answers.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

dns.promises.Resolver = class extends dns.promises.Resolver {
  /** @param {import('node:dns').ResolverOptions} options */
  constructor(options) {
    super(options);
    this.setServers([process.env.SILENT_NAME_SERVER ?? '127.0.0.1:9']);
  }
};
syncBuiltinESMExports();
