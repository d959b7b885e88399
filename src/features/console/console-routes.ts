import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { operation } from '../../api/operation.ts';
import { one } from '../../api/output.ts';
import { anyone } from '../../auth/callers/access.ts';
import type { SignInConnections } from '../../auth/callers/connections.ts';
import type { IdentityProvider } from '../../auth/tokens/identity-provider.ts';
import { isCanonicalUuid } from '../../entities/characters.ts';
import { type CalledPath, underPath } from '../../http/request/called-address.ts';
import { acceptsEncoding, CONTENT_ENCODINGS } from '../../http/response/content-encoding.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import type { MailSources } from '../mails/mails-operations.ts';
import type { Brand } from './brand.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';
import { ConsoleConfig, ConsoleConfigInput } from './console-schemas.ts';
import type { OfferSignIn } from './sign-in-options.ts';

/** The lists of the console. Each item has its own page, as in web/src/shell/page-names.ts. */
const LISTS = ['people', 'companies', 'departments', 'bands', 'policies', 'history', 'keys', 'webhooks', 'resources'];

/** Paths of the console: all serve one document, whose script renders the page of the path. */
export const CONSOLE_PAGES = [
  '/',
  '/overview',
  '/profile',
  '/geography',
  ...LISTS.flatMap((name) => [`/${name}`, `/${name}/:id`]),
];

/** Placeholder in the built page for the nonce of a response. */
const NONCE_PLACE = '__NONCE__';
/** Placeholder for the path below which it was called. */
const PATH_PLACE = '__BASE_PATH__';

/** Source of the sign-in options of a request. */
export interface SignInSource {
  offer: OfferSignIn;
  /** The name and looks of the product, where the settings give any. */
  brand: Brand | undefined;
}

const config = operation({
  id: 'console',
  operationId: 'getConsoleConfig',
  tag: 'Console',
  summary: "Get the console's configuration",
  description:
    'For the console’s own pages. With demo data it returns access tokens of the demo people, to clients on the same ' +
    'machine only; DEMO_DATA=false disables that.',
  access: anyone,
  methods: ['GET'],
  path: '/console/config',
  errors: ['UNAVAILABLE'],
  input: ConsoleConfigInput,
  output: one(ConsoleConfig),
  message: 'Console configuration retrieved successfully',
  async handle({ input, request, reply }, { offer, brand, mails }: SignInSource & MailSources) {
    reply.header('cache-control', 'no-store');
    return {
      ...(await offer(request.raw, input.domain)),
      ...(brand && { brand }),
      ...(mails !== undefined && { mails: true }),
    };
  },
});

export const consoleOperations = [config];

/** Sends the HTML page. @param tokenOrigin of a sign-in connection's provider, which the page may connect to */
export type SendPage = (reply: FastifyReply, tokenOrigin?: string) => FastifyReply;

/** Returns a function that sends the HTML page, with a new nonce each time. */
export function consolePage(
  files: ConsoleFiles,
  identityProvider: IdentityProvider | undefined,
  pathOf: CalledPath,
  brand: Brand,
): SendPage {
  const branded = brandedPage(files.page, brand);
  const imageOrigin = brand.logo?.startsWith('https:') ? new URL(brand.logo).origin : undefined;
  return (reply, tokenOrigin = identityProvider?.signIn?.tokenUrl.origin) => {
    const path = pathOf(reply);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy(nonce, tokenOrigin, imageOrigin),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      })
      .type('text/html; charset=utf-8')
      .send(
        underPath(branded, path)
          .replaceAll(NONCE_PLACE, nonce)
          .replace(PATH_PLACE, () => path),
      );
  };
}

/** Registers the pages and files of the console, served from the memory of this process. */
export function consolePages(
  app: FastifyInstance,
  files: ConsoleFiles,
  sendPage: SendPage,
  connections: SignInConnections,
  logo: readonly [path: string, file: ConsoleFile][],
): void {
  const options = { config: { operation: config } };
  for (const path of CONSOLE_PAGES)
    app.get(path, options, async ({ query }, reply) => sendPage(reply, await tokenOriginOf(query, connections)));
  for (const [path, file] of [...files.assets, ...logo]) {
    app.get(path, options, async (request, reply) => sendFile(reply, file, path, request.headers['accept-encoding']));
  }
}

/** What a host may have in a policy: others, such as `;`, would end its directive. */
const HOST = /^[a-z\d.:-]+$/;

/** Returns the origin that a page needs to finish a sign-in by a connection, whose id is at the start of the provider's `state`. */
async function tokenOriginOf(query: unknown, connections: SignInConnections): Promise<string | undefined> {
  const { state } = query as { state?: unknown };
  const [id = ''] = typeof state === 'string' ? state.split('.') : [];
  if (!isCanonicalUuid(id)) return undefined;
  const connected = await connections.find(id);
  await connected?.started;
  const url = connected?.provider.signIn?.tokenUrl;
  return url && HOST.test(url.host) ? url.origin : undefined;
}

/**
 * Returns a policy that allows only the console's own scripts, and connections to this service and the provider's token endpoint. Mantine's
 * style elements carry the nonce of the page.
 */
function pagePolicy(nonce: string, tokenOrigin: string | undefined, imageOrigin: string | undefined): string {
  const further = (origin: string | undefined) => (origin === undefined ? '' : ` ${origin}`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${further(imageOrigin)}`,
    `connect-src 'self'${further(tokenOrigin)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function sendFile(reply: FastifyReply, file: ConsoleFile, path: string, accepted: string | undefined): FastifyReply {
  const coding = CONTENT_ENCODINGS.find((name) => file[name] && acceptsEncoding(accepted, name));
  if (coding) reply.header('content-encoding', coding);
  // Opened by itself, an image runs and loads nothing.
  if (file.type === 'image/svg+xml') reply.header('content-security-policy', IMAGE_POLICY);
  return reply
    .header(
      'cache-control',
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    )
    .header('vary', 'Accept-Encoding')
    .type(file.type)
    .send((coding && file[coding]) ?? file.plain);
}

/** The colour of the frame that is drawn before the scripts have come. */
const FRAME_COLOR = '.frame{font:700 1.125rem/56px system-ui,sans-serif;color:#364fc7';

/** The icon of the tab, at whatever address the build has put it. */
const ICON = /<link rel="icon" href="[^"]*">/;

/** Returns the page of the console with the name and looks of the product. */
function brandedPage(page: string, brand: Brand): string {
  const { name, logo, color } = brand;
  const named = page
    .replaceAll('__BRAND_NAME__', () => escapeHtml(name))
    .replace('__BRAND__', () => escapeHtml(JSON.stringify(brand)));
  const iconed = logo === undefined ? named : named.replace(ICON, () => `<link rel="icon" href="${escapeHtml(logo)}">`);
  return color === undefined ? iconed : iconed.replace(FRAME_COLOR, FRAME_COLOR.replace('#364fc7', color));
}
