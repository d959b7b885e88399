import { text, textKind } from './values.ts';

/** The least contrast of texts (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
const LINK = /^([^=,]{1,60})=(https:\/\/[^\s,]{1,500})$/;

export const brandName = text(60);
export const brandText = text(300);

/** A colour that white texts can be read on. */
export const brandColor = textKind(
  'a colour such as #1f4e9c, with a contrast to white of at least 4.5:1',
  (given) => {
    if (!/^#[\da-f]{6}$/i.test(given)) return undefined;
    const ratio = contrastToWhite(given);
    if (ratio >= MIN_CONTRAST) return given.toLowerCase();
    // Rounded down: 4.499 is not enough.
    const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
    return {
      code: 'INVALID_VALUE',
      expected: `a darker colour: its contrast to white is ${shown}:1, and texts need at least ${MIN_CONTRAST}:1 (WCAG 2.2)`,
    };
  },
  'text',
  { pattern: '^#[0-9a-f]{6}$' },
  { pattern: '^#[0-9a-fA-F]{6}$' },
);

/** An address of a page. */
export const brandLink = textKind(
  'an https address of at most 500 characters, such as https://acme.example/terms',
  (given) => (given.length <= 500 && isHttps(given) ? given : undefined),
  'text',
  { maxLength: 500 },
);

/** Where people ask for help. */
export const brandSupport = textKind(
  'an e-mail address or an https address',
  (given) =>
    given.length <= 500 && (isHttps(given) || /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(given)) ? given : undefined,
  'text',
  { maxLength: 500 },
);

/** Further links: name and address of each. */
export const brandLinks = textKind(
  'up to ten links such as Help=https://acme.example/help, separated by commas',
  (given) => {
    const links = given.split(',').map((link) => link.trim());
    return links.length <= 10 && links.every((link) => isHttps(LINK.exec(link)?.[2] ?? ''))
      ? links.join(', ')
      : undefined;
  },
  'text',
  { maxLength: 5_700 },
);

/** What lets an SVG do or load something: scripts, handlers, foreign content, entities, and addresses outside of it. */
const ACTIVE =
  /<[^\s>/]*(?:script|foreignobject|iframe|object|embed|handler|animate|set)\b|[\s"'/]on[a-z]+\s*=|<!(?:doctype|entity)|<\?xml-stylesheet|javascript:|@import|\bhref\s*=\s*(?!\s*["']?\s*#)|url\(\s*(?!\s*["']?\s*#)/i;

/** Returns whether a text is an SVG that only draws. */
export function isPlainSvg(content: string): boolean {
  return /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[^>]*-->\s*)*<svg[\s>]/i.test(content) && !ACTIVE.test(content);
}

const IMAGE = /^data:image\/(?:(png)|svg\+xml);base64,([A-Za-z\d+/]+={0,2})$/;
const MAX_IMAGE = 32_768;

/** An image within its address, which a page shows without asking another server. */
export const brandImage = textKind(
  `a PNG, or an SVG without scripts and addresses outside of it, as data:image/png;base64,… or data:image/svg+xml;base64,… of at most ${MAX_IMAGE} characters`,
  (given) => {
    if (given.length > MAX_IMAGE) return { code: 'TOO_LONG' };
    const [, png, coded = ''] = IMAGE.exec(given) ?? [];
    const content = coded.length % 4 === 0 ? atob(coded) : '';
    return (png ? content.startsWith(PNG) : isPlainSvg(content)) ? given : undefined;
  },
  'text',
  { maxLength: MAX_IMAGE },
);

/** The first bytes of a PNG, by their codes. */
export const PNG = '\x89PNG\r\n\x1a\n';

/** Returns the links of a text by {@link brandLinks}. */
export function linksIn(given: string): { name: string; url: string }[] {
  return given.split(', ').map((link) => {
    const [, name = '', url = ''] = LINK.exec(link) ?? [];
    return { name, url };
  });
}

function isHttps(given: string): boolean {
  return URL.canParse(given) && new URL(given).protocol === 'https:' && !/[\s"'<>]/.test(given);
}

/** Returns the contrast of a colour such as `#1f4e9c` to white, from 1 to 21 (WCAG 2.2). */
function contrastToWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
