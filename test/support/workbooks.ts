import { strToU8, zipSync } from 'fflate';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

interface WorkbookParts {
  /** The rows of each sheet, as XML, by its name; one whose name begins with a dot is hidden. */
  sheets: Readonly<Record<string, string>>;
  /** Shared strings, as XML. */
  strings?: readonly string[];
  /** The codes of the formats that cells name by their places from 1. */
  formats?: readonly string[];
  /** Before the names of elements, as some programs write them. */
  prefix?: string;
  countsFrom1904?: boolean;
  /** References of merged cells, such as A1:A3, of every sheet. */
  merged?: readonly string[];
}

/** An `.xlsx` file of these parts. */
export function workbookOf({
  sheets,
  strings,
  formats = [],
  prefix = '',
  countsFrom1904,
  merged = [],
}: WorkbookParts): Buffer {
  const named = (name: string, content: string) =>
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${prefix}${name} xmlns${prefix ? `:${prefix.slice(0, -1)}` : ''}="${MAIN}" xmlns:r="${RELATIONSHIPS}">${content}</${prefix}${name}>`;
  const names = Object.keys(sheets);
  const links = names.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`]);
  links.push(['rIdS', 'styles', '/xl/styles.xml']);
  if (strings) links.push(['rIdT', 'sharedStrings', 'sharedStrings.xml']);
  const parts: Record<string, string> = {
    'xl/workbook.xml': named(
      'workbook',
      `<${prefix}workbookPr${countsFrom1904 ? ' date1904="1"' : ''}/><${prefix}sheets>${names.map((name, at) => `<${prefix}sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"${name.startsWith('.') ? ' state="hidden"' : ''}/>`).join('')}</${prefix}sheets>`,
    ),
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`).join('')}</Relationships>`,
    'xl/styles.xml': named(
      'styleSheet',
      `<${prefix}numFmts>${formats.map((code, at) => `<${prefix}numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</${prefix}numFmts><${prefix}cellStyleXfs><${prefix}xf numFmtId="0"/></${prefix}cellStyleXfs><${prefix}cellXfs><${prefix}xf numFmtId="0"/>${formats.map((_, at) => `<${prefix}xf numFmtId="${164 + at}"/>`).join('')}</${prefix}cellXfs>`,
    ),
  };
  if (strings)
    parts['xl/sharedStrings.xml'] = named('sst', strings.map((text) => `<${prefix}si>${text}</${prefix}si>`).join(''));
  for (const [at, rows] of Object.values(sheets).entries())
    parts[`xl/worksheets/sheet${at + 1}.xml`] = named(
      'worksheet',
      `<${prefix}sheetData>${rows}</${prefix}sheetData>${merged.map((ref) => `<${prefix}mergeCell ref="${ref}"/>`).join('')}`,
    );
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))));
}

/** Rows of texts and numbers, as XML; the index of a row that is hidden is given. */
export function rowsOfCells(rows: readonly (readonly (string | number)[])[], hidden: readonly number[] = []): string {
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
  return rows
    .map((row, at) => `<row r="${at + 1}"${hidden.includes(at) ? ' hidden="1"' : ''}>${row.map(cell).join('')}</row>`)
    .join('');
}
