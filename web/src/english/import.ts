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
  done: 'done',
  unknown: (what: string) => `There is no ${what} of this name or code.`,
  run: 'Start the import',
  note: 'Lines are done one after the other, each by itself. What could not be done stays in the list and can be tried again.',
  finished: (done: string, failed: string) => `${done} done, ${failed} failed.`,
  table: 'Lines',
};
