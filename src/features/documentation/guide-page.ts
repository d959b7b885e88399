export const HTML = 'text/html; charset=utf-8';

/** Returns the HTML page around the text of a guide, without inline scripts or styles. */
export function guidePage(title: string, html: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · orgdesk</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
<header><a href="/docs">API</a> <a href="/docs/guides">Guides</a></header>
<main>
${html}</main>
</body>
</html>
`;
}

/** Escapes text for HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

export const GUIDE_STYLES = `:root { color-scheme: light dark; }
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
