import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** A table as a company's spreadsheet gives it: names for people, several forms of dates and amounts, and thirty faults. */
export const MESSY = readFileSync(new URL('tables/messy.csv', import.meta.url));

const figure = (count: number) => count.toLocaleString('en-IN');

/** The page that imports people, as somebody uses it. */
export function importPage(page: Page) {
  return {
    choose: (content: string | Buffer) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: typeof content === 'string' ? Buffer.from(content) : content,
      }),
    paste: (text: string) => page.getByLabel(/^Or paste/).fill(text),
    /** Waits until the table as it is now has been checked, with these numbers. */
    checked: (added: number, changed: number, same: number, wrong: number) =>
      page
        .locator('[data-testid=summary][aria-busy=false]')
        .getByText(
          `${figure(added)} new, ${figure(changed)} to update, ${figure(same)} unchanged, ${figure(wrong)} to fix.`,
        )
        .waitFor(),
    column: (name: string) =>
      page.getByRole('group', { name: 'Columns of the file' }).getByLabel(name, { exact: true }),
    cell: (column: string, line: number) => page.getByLabel(`${column}, line ${figure(line)}`, { exact: true }),
    async correct(column: string, line: number, text: string): Promise<void> {
      const box = page.getByLabel(`${column}, line ${figure(line)}`, { exact: true });
      await box.fill(text);
      await box.press('Enter');
    },
    row: (line: number) =>
      page.getByRole('row').filter({ has: page.getByRole('button', { name: `Leave out line ${line}` }) }),
    run: page.getByRole('button', { name: 'Start the import' }),
  };
}
