/** The texts of the page that brings in people. */
export const english = {
  open: 'Bring in people',
  title: 'Bring in people',
  lead: (company: string) =>
    `Add people to ${company}, or change them, from a spreadsheet. Nothing is sent before you say so.`,
  file: 'A CSV file',
  paste: 'Or paste from a spreadsheet, with the names of the columns in the first line',
  columns: (names: string) => `These columns are known: ${names}.`,
  ignored: (names: string) => `Left out, as nothing is known of them: ${names}.`,
  needed: 'A column with the e-mail address is needed: by it people are known.',
  tooMany: (count: string) =>
    `This page compares with up to ${count} people of a company. Whoever runs the service can use orgdesk import.`,
  summary: (added: string, changed: string, same: string, wrong: string) =>
    `${added} to add, ${changed} to change, ${same} as they are, ${wrong} with something to mend.`,
  state: 'What happens',
  add: 'is added',
  change: (fields: string) => `changes: ${fields}`,
  same: 'stays as it is',
  wrong: 'to be mended',
  twice: 'This address stands on another line as well.',
  done: 'done',
  unknown: (what: string) => `There is no ${what} of this name or code.`,
  run: 'Do all of this',
  note: 'Each line is done by itself, one after the other: the service knows no “all or nothing” here. What could not be done stays on the list, and can be tried again.',
  finished: (done: string, failed: string) => `${done} done, ${failed} not.`,
  table: 'Lines',
};
