/** The texts of the page that imports people. */
export const english = {
  open: 'Import people',
  title: 'Import people',
  lead: (company: string) =>
    `Add people to ${company}, or change them, from a spreadsheet. Nothing is sent before you say so.`,
  file: 'A CSV file',
  choose: 'Choose a file',
  paste: 'Or paste from a spreadsheet, with the names of the columns in the first line',
  columns: (names: string) => `These columns are known: ${names}.`,
  ignored: (names: string) => `These columns are not known and are left out: ${names}.`,
  needed: 'A column with the e-mail address is needed: it tells who is who.',
  tooMany: (count: string) =>
    `This page compares with up to ${count} people of a company. Whoever runs the service can use orgdesk import.`,
  summary: (added: string, changed: string, same: string, wrong: string) =>
    `${added} to add, ${changed} to change, ${same} unchanged, ${wrong} to correct.`,
  state: 'What happens',
  add: 'is added',
  change: (fields: string) => `changes: ${fields}`,
  same: 'unchanged',
  wrong: 'to correct',
  twice: 'This address stands on another line as well.',
  unknown: (what: string) => `There is no ${what} of this name or code.`,
  ambiguous: (what: string) => `More than one ${what} goes by this: give its code.`,
  nobody: (names: string) => `Nobody has this address. To add them, these are needed: ${names}.`,
  leavesRole: 'The role stays: it is read for new people alone.',
  leaveOut: (line: string) => `Leave line ${line} out`,
  cell: (column: string, line: string) => `${column}, line ${line}`,
  doubled: (names: string) => `These columns stand more than once: ${names}. Leave one of each.`,
  guessed:
    'This file is not UTF-8. It was read as Windows-1252, as Excel writes it: look whether letters with accents are right.',
  faults: {
    unclosed: 'A quote of this line is not closed. Correct the file.',
    quote: 'A quote stands amid a cell of this line. Put the whole cell in quotes, and double each quote within.',
    return: 'A line break of this line is none of CSV. Save the file with ordinary line ends.',
    cells: 'This line has another number of cells than the first one. Cells with a comma in them need quotes.',
  },
  run: 'Start the import',
  note: 'All lines are done, or none.',
  tooManyLines: (count: string) => `Up to ${count} lines are added and changed at once: split the table.`,
  nothingDone: (why: string) => `Nothing was added or changed. ${why || 'What is in the way stands in the lines.'}`,
  finished: (done: string) => `Done: ${done} lines.`,
  table: 'Lines',
};
