import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/**
 * The commands of the README's tour.
 *
 * @param address of the service that they are to ask
 * @param program what is typed for the command line, in a clone or where it is installed
 */
export function tourOfTheReadme(address: string, program = 'orgdesk'): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const tour = /^## A tour\n(.*?)^## /ms.exec(readme)?.[1] ?? assert.fail('the README has no tour');
  const commands = [...tour.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join('');
  return commands
    .replaceAll('npm run --silent orgdesk --', program)
    .replaceAll('http://127.0.0.1:3000', address)
    .replaceAll(/^curl /gm, 'curl -fsS -w "\\n" ');
}

/** Looks whether each request of the tour was answered, and with something. */
export function checkTour(commands: string, output: string): void {
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { success: boolean; data: unknown });
  assert.equal(answers.length, commands.match(/^curl /gm)?.length);
  for (const { success, data } of answers) {
    assert.equal(success, true);
    assert.ok(!Array.isArray(data) || data.length > 0, 'an empty list');
  }
}
