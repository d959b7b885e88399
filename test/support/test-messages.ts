/** What the runner sends to a process in which test files run. */
export interface WorkerTask {
  file: string;
  /** Environment variables for the time of the file. */
  settings: Readonly<Record<string, string>>;
}

/** What a process in which test files run reports to the runner. */
export type WorkerMessage =
  | TestMessage
  /** Nothing is left that the process waits for, though tests may wait: it ends. */
  | { type: 'drained' }
  /** Something that the running file uses, and that is not under test, has ended. */
  | { type: 'interrupted'; reason: string };

/** About a test, a suite, or a file: that is the outermost suite. */
export interface TestMessage {
  /** `begun` and `completed` come as it happens; the others in the order of the tests in their file. */
  type: 'begun' | 'completed' | 'started' | 'passed' | 'failed';
  name: string;
  /** How many suites it is in; 0 is the file. */
  nesting: number;
  isSuite: boolean;
  /** Of one that has failed: why. Absent where what is in it has failed, and nothing else. */
  reason?: string;
  /** At the end of a file: seconds of the processors that its process has used since its start. */
  processor?: number;
}

export function endsFile({ type, nesting }: TestMessage): boolean {
  return nesting === 0 && (type === 'passed' || type === 'failed');
}
