import type { TestMessage } from './test-messages.ts';
import type { Counts, TestOutput } from './test-output.ts';

/** Follows a test file from its first message to its last. */
export interface FollowedFile {
  take(message: TestMessage): void;
  /** Reports that the process ended, or was ended, before the file did. */
  cutShort(reason: string): void;
}

/**
 * A file without tests has failed.
 *
 * @param group where the tests run, named at each failure
 */
export function followFile(group: string, file: string, tally: Counts, output: TestOutput): FollowedFile {
  /** The names of the file, of the suites around a test and its own. */
  const path: string[] = [];
  /** The tests and suites that have begun and not completed. */
  const running: string[] = [];
  let tests = 0;

  const fail = (names: readonly string[], reason: string) =>
    output.fail(tally, `${group}: ${[file, names.join(' › ')].filter(Boolean).join(': ')}`, reason);
  return {
    take({ type, name, nesting, isSuite, reason }) {
      if (type === 'begun') running.push(name);
      if (type === 'completed') running.splice(running.lastIndexOf(name), 1);
      if (type === 'started') path.splice(nesting, path.length, name);
      if (type !== 'passed' && type !== 'failed') return;

      if (nesting === 0 && name !== file)
        fail(
          [name],
          'is outside of its file: it is registered after an await in describe, or by the default import of node:test',
        );
      if (!isSuite) tests++;
      const names = path.slice(1, nesting + 1);
      if (reason !== undefined) fail(names, reason);
      else if (type === 'passed' && !isSuite) output.pass(tally);
      else if (type === 'passed' && name === file && tests === 0) fail([], 'has no tests');
    },
    cutShort(reason) {
      const open = running.filter((name) => name !== file);
      fail([], open.length > 0 ? `${reason}, in the middle of: ${open.join(', ')}` : reason);
    },
  };
}
