/** An element of an XML document. Its name has no prefix; names of attributes keep theirs. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** The text of the element itself, without that of its children. */
  text: string;
}

/** Matches a comment, CDATA, a processing instruction, a tag, or text. Document types are refused: they may define entities. */
const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Yields the elements of some names as they end, in the order of the document; one within another is only its child.
 *
 * @throws TypeError if the text is not well-formed
 */
export function* elementsOf(xml: string, ...names: readonly string[]): Generator<XmlElement> {
  const token = new RegExp(TOKEN);
  /** Names of the open elements, and those that are yielded with their ancestors below the yielded one. */
  const open: string[] = [];
  const built: { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string }[] = [];
  let start = xml.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < xml.length) {
    token.lastIndex = start;
    const found = token.exec(xml);
    if (found === null) throw new TypeError('The text is no XML');
    start = token.lastIndex;
    const [, data, closing, qualified = '', attributes = '', empty, text] = found;
    const within = built.at(-1);
    if (within && data !== undefined) within.text += data;
    if (within && text !== undefined) within.text += unescaped(text);
    if (qualified === '') continue;
    const name = qualified.slice(qualified.indexOf(':') + 1);
    if (!closing) {
      open.push(qualified);
      if (within || names.includes(name)) {
        built.push({ name, attributes: attributesOf(attributes), children: [], text: '' });
      }
    }
    if (!closing && !empty) continue;
    if (open.pop() !== qualified) throw new TypeError('An element of the XML is not closed');
    const ended = built.pop();
    if (ended === undefined) continue;
    const parent = built.at(-1);
    if (parent === undefined) yield ended;
    else parent.children.push(ended);
  }
  if (open.length > 0) throw new TypeError('An element of the XML is not closed');
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single = ''] of text.matchAll(ATTRIBUTE)) {
    attributes[name] = unescaped(double ?? single);
  }
  return attributes;
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
