import { writeTemplate } from '../import/write/write-template.ts';
import type { PlainCommand } from './command.ts';

export const templateCommand: PlainCommand = {
  name: 'template',
  parameters: ['FOLDER'],
  summary: 'write CSV files to fill in and import: the header of each, and an example row',
  details: 'The rows belong together and can be imported as they are. docs/import.md describes the columns.',
  async run([folder = ''], { print }) {
    for (const file of await writeTemplate(folder)) print(`${file}: its header and an example`);
  },
};
