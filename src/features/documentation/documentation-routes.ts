import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { anyone } from '../../auth/callers/access.ts';
import { compressedOnce } from '../../http/response/compressed-once.ts';
import { programFile } from '../../lib/program-files.ts';
import { GUIDE_STYLES, HTML } from './guide-page.ts';
import { findGuides } from './guides.ts';

/** The published API document; `npm run openapi` generates it from the operations. */
const OPENAPI = programFile('openapi.json');
/** Copied from Swagger UI's package at build time. */
const SWAGGER_UI = programFile('resources/swagger-ui/');

/** No inline scripts or styles, and nothing from other origins. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>orgdesk API</title>
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
  url: '/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true, persistAuthorization: true,
});
`;

/** Content security policy: only files of this process, and the images and styles that the script creates. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Entry for the table of permissions. */
export const DOCUMENTATION = { id: 'documentation', access: anyone };

/** Registers `/openapi.json`, `/docs` to read it, and the guides, all served by this process. */
export function documentationPages(app: FastifyInstance): void {
  const serve = (path: string, type: string, send: SendOnce) =>
    app.get(path, { config: { operation: DOCUMENTATION } }, async (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=300')
        .header('content-security-policy', POLICY)
        .header('referrer-policy', 'no-referrer')
        .type(type);
      return send(reply, request.headers['accept-encoding']);
    });

  serve(
    '/openapi.json',
    'application/json; charset=utf-8',
    compressedOnce(() => readFile(OPENAPI)),
  );
  for (const path of ['/docs', '/docs/']) serve(path, HTML, async (reply) => reply.send(PAGE));
  serve('/docs/guides.css', 'text/css; charset=utf-8', async (reply) => reply.send(GUIDE_STYLES));
  for (const { path, type, read } of findGuides()) serve(path, type, sendText(type, read));
  serve('/docs/start.js', 'text/javascript; charset=utf-8', async (reply) => reply.send(START));
  for (const [file, type] of [
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
  ] as const) {
    serve(
      `/docs/${file}`,
      type,
      sendText(type, () => readFile(new URL(file, SWAGGER_UI))),
    );
  }
}

type SendOnce = ReturnType<typeof compressedOnce>;

/** Images are compressed already. */
function sendText(type: string, read: () => Promise<string | Buffer>): SendOnce {
  return type.startsWith('image/') ? async (reply) => reply.send(await read()) : compressedOnce(read);
}
