import type { IncomingMessage, ServerResponse } from 'node:http';

/** The service within a server of another program. */
export interface Orgdesk {
  /** Answers a request whose body nobody has read yet. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** A plugin of Fastify 5: the same, at the prefix with which it is registered: that of `BASE_PATH`. */
  readonly plugin: (scope: never) => Promise<void>;
  /** Ends its work and closes its database; its answers are to be over by then. */
  stop(): Promise<void>;
}

/** Opens the service without a port. The settings are those of docs/configuration.md; the environment is not read. */
export declare function createOrgdesk(settings?: Readonly<Record<string, string>>): Promise<Orgdesk>;
