/** An entity tag, strong or weak, as servers and proxies that compress answers hand it on. */
export function proxiedTags(tag: string): string[] {
  const opaque = tag.slice(tag.indexOf('"') + 1, -1);
  const labelled = ['-gzip', '--gzip', '-br', '-zstd', '-deflate', ';gzip', ';br'].map(
    (label) => `"${opaque}${label}"`,
  );
  const strong = [`"${opaque}"`, ...labelled];
  return [...strong, ...strong.map((one) => `W/${one}`), `"other", W/"${opaque}"`, `W/"a,b" ,"${opaque}-gzip"`];
}

/** Tags that stand for something else than this one, however near they are. */
export function otherTags(tag: string): string[] {
  const opaque = tag.slice(tag.indexOf('"') + 1, -1);
  const changed = `${opaque.slice(0, -1)}${opaque.endsWith('A') ? 'B' : 'A'}`;
  return [
    '',
    '""',
    '"*"',
    opaque,
    `"${changed}"`,
    `W/"${changed}-gzip"`,
    `"${opaque}x"`,
    `"x-${opaque}"`,
    `"${opaque}-x"`,
  ];
}
