import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { anyone } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { type CalledPath, underPath } from '../../http/request/called-address.ts';
import { compressedOnce, once } from '../../http/response/compressed-once.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { programFile } from '../../lib/program.ts';
import { type Document, part } from './document-part.ts';
import { toOpenApi30 } from './openapi-3.0.ts';
import { CONTRACT, fieldsOfCaller, withOwnFields } from './own-contract.ts';

/** The published API document; `npm run openapi` generates it from the operations. */
const OPENAPI = programFile('openapi.json');
/** Copied from Swagger UI's package at build time. */
const SWAGGER_UI = programFile('resources/swagger-ui/');
/** The pages of `docs/`, rendered when the program is built, and their images. */
const GUIDES = programFile('resources/guides/');

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const PNG = 'image/png';

/** No inline scripts or styles, and nothing from other origins. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>__BRAND_NAME__ API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
<header><a href="/docs/guides">Guides</a></header>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
/** A token entered on the page stays in the browser's storage for this origin until the user logs out there. */
const START = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href, dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true, persistAuthorization: true, docExpansion: 'none',
});
`;

/** Content security policy: only files of this process, and the images and styles that the script creates. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

const GUIDE_STYLES = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
header { padding: 0.75rem 1.25rem; border-bottom: 1px solid #8886; }
header a { margin-right: 1.25rem; }
main { max-width: 60rem; margin: 0 auto; padding: 0.5rem 1.25rem 4rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 0.75rem; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
pre { padding: 0.75rem 1rem; overflow-x: auto; background: #8882; border-radius: 6px; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.35rem 0.75rem; border: 1px solid #8886; text-align: left; vertical-align: top; }
img { max-width: 100%; }
:target { outline: 2px solid #e8a33d; outline-offset: 4px; }
`;

const JSON_TYPE = 'application/json; charset=utf-8';
/** Addresses and choices of tags for which a document is kept compressed. */
const MAX_PARTS = 8;
/** The API documents, by path; their only server is the address by which the service was called. */
const DOCUMENTS = {
  '/openapi.json': (document: Document): Document => document,
  '/openapi-3.0.json': toOpenApi30,
};

/** Entry for the table of permissions. */
export const DOCUMENTATION = { id: 'documentation', access: anyone };

/** Registers `/openapi.json`, `/openapi-3.0.json`, `/docs` to read it, and the guides, all served by this process. */
export function documentationPages(
  app: FastifyInstance,
  pathOf: CalledPath,
  addressOf: (request: FastifyRequest) => string,
  readerOf: (request: FastifyRequest) => Reader,
  brandName: string,
): void {
  const serve = (path: string, find: (parameters: Record<string, string>) => Page | undefined) =>
    app.get<{ Params: Record<string, string> }>(
      path,
      { config: { operation: DOCUMENTATION } },
      async (request, reply) => {
        const page = find(request.params);
        if (page === undefined) return reply.callNotFound();
        reply
          .header('cache-control', 'public, max-age=300')
          .header('content-security-policy', POLICY)
          .header('referrer-policy', 'no-referrer')
          .type(page.type);
        const path = pathOf(reply);
        // A cache must not keep what a caller may have written into a header.
        if (path !== '' && page.below) return reply.header('cache-control', 'no-cache').send(await page.below(path));
        return page.send(reply, request.headers['accept-encoding']);
      },
    );
  const page = PAGE.replace('__BRAND_NAME__', () => escapeHtml(brandName));
  const serveOne = (path: string, page: Page) => serve(path, () => page);

  for (const [path, form] of Object.entries(DOCUMENTS)) {
    const read = once(async () => {
      const { info, ...others } = JSON.parse(await readFile(OPENAPI, 'utf8')) as Document;
      return { openapi: others.openapi, info: { ...(info as object), title: brandName }, ...others };
    });
    const published = once(async () => form(await read()));
    const parts = new Map<string, ReturnType<typeof compressedOnce>>();
    app.get<{ Querystring: { tags?: unknown } }>(path, { config: { operation: CONTRACT } }, async (request, reply) => {
      const { tags = '' } = request.query;
      const fields = await fieldsOfCaller(readerOf(request), request);
      const chosen = part(fields ? form(withOwnFields(await read(), fields)) : await published(), tags);
      const address = addressOf(request);
      const text = () => JSON.stringify({ ...chosen, servers: [{ url: address || '/', description: 'This service' }] });
      reply
        .header('vary', 'Authorization')
        .header('content-security-policy', POLICY)
        .header('referrer-policy', 'no-referrer')
        .type(JSON_TYPE);
      // Nothing keeps what one caller may read.
      if (fields) return reply.send(text());
      const key = `${address} ${tags}`;
      if (!parts.has(key) && parts.size < MAX_PARTS)
        parts.set(
          key,
          compressedOnce(async () => text()),
        );
      // A cache must not keep what a caller may have written into a header.
      const isForwarded = pathOf(reply) !== '' || request.headers['x-forwarded-host'] !== undefined;
      reply.header('cache-control', isForwarded ? 'no-cache' : 'public, max-age=300');
      return parts.get(key)?.(reply, request.headers['accept-encoding']) ?? reply.send(text());
    });
  }
  for (const path of ['/docs', '/docs/']) serveOne(path, text(HTML, page));
  serveOne('/docs/guides.css', text(CSS, GUIDE_STYLES));
  serveOne('/docs/start.js', text('text/javascript; charset=utf-8', START));
  serveOne('/docs/swagger-ui.css', file(CSS, new URL('swagger-ui.css', SWAGGER_UI)));
  serveOne(
    '/docs/swagger-ui-bundle.js',
    file('text/javascript; charset=utf-8', new URL('swagger-ui-bundle.js', SWAGGER_UI)),
  );
  serveOne('/docs/favicon-32x32.png', file(PNG, new URL('favicon-32x32.png', SWAGGER_UI)));
  const guides = findGuides();
  serve('/docs/*', (parameters) => guides.get(parameters['*'] ?? ''));
}

interface Page {
  type: string;
  send: ReturnType<typeof compressedOnce>;
  /** Returns its content where the service is called below a path; absent: the same. */
  below?: (path: string) => Promise<string>;
}

function text(type: string, content: string): Page {
  const below = async (path: string) => underPath(content, path);
  return { type, send: async (reply) => reply.send(content), ...(type === HTML ? { below } : {}) };
}

/** Images are compressed already. */
function file(type: string, url: URL): Page {
  const read = () => readFile(url);
  const below = async (path: string) => underPath(await readFile(url, 'utf8'), path);
  const send: Page['send'] = type.startsWith('image/')
    ? async (reply) => reply.send(await read())
    : compressedOnce(read);
  return { type, send, ...(type === HTML ? { below } : {}) };
}

/** Returns the guides and their images by path below `/docs/`; none where the program is built without them. */
function findGuides(): Map<string, Page> {
  let names: string[] = [];
  try {
    names = readdirSync(GUIDES, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch {
    // The API is documented all the same.
  }
  return new Map(
    names.flatMap((name): [string, Page][] => {
      if (name.endsWith('.html')) return [[name.slice(0, -'.html'.length), file(HTML, new URL(name, GUIDES))]];
      const [, kind] = /\.(png|webp)$/.exec(name) ?? [];
      return kind === undefined ? [] : [[name, file(`image/${kind}`, new URL(name, GUIDES))]];
    }),
  );
}
