import { inspect } from 'node:util';
import { endsFile, type TestMessage } from './test-messages.ts';

/** What `node:test` gives to a reporter, as far as it is of use here. */
interface TestEvent {
  type: string;
  data: {
    name: string;
    nesting: number;
    message: string;
    skip?: string | boolean;
    todo?: string | boolean;
    details?: { type?: string; error?: Error & { failureType?: unknown } };
  };
}

const TYPES: Readonly<Record<string, TestMessage['type']>> = {
  'test:dequeue': 'begun',
  'test:complete': 'completed',
  'test:start': 'started',
  'test:pass': 'passed',
  'test:fail': 'failed',
};
/** The runner's own summary, which comes as remarks. */
const RUNNER_TOTALS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** A reporter for `node:test` that tells the parent process of each test. One that is skipped or still to do has failed. */
// biome-ignore lint/style/noDefaultExport: this is how node:test loads a reporter
export default async function* sendReports(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const kind = TYPES[type];
    if (kind !== undefined) send(messageOf(kind, data));
    else if (type === 'test:diagnostic' && !RUNNER_TOTALS.test(data.message)) yield `${data.message}\n`;
  }
}

function messageOf(kind: TestMessage['type'], { name, nesting, skip, todo, details }: TestEvent['data']): TestMessage {
  const about = { name, nesting, isSuite: details?.type === 'suite' };
  if (kind === 'passed' && skip !== undefined) return { ...about, type: 'failed', reason: 'was skipped' };
  if (kind === 'passed' && todo !== undefined) return { ...about, type: 'failed', reason: 'is still to do' };
  const { error } = details ?? {};
  if (kind !== 'failed' || error?.failureType === 'subtestsFailed') return { ...about, type: kind };
  return { ...about, type: kind, reason: inspect(error?.cause ?? error, { depth: 10 }) };
}

function send(message: TestMessage): void {
  const isEnd = endsFile(message);
  const { user, system } = process.cpuUsage();
  const complete = isEnd ? { ...message, processor: (user + system) / 1e6 } : message;
  // The parent may be gone, or done with this process.
  if (process.connected) process.send?.(complete, undefined, undefined, () => undefined);
  // From the end of one file until the next comes the process waits for its parent.
  if (isEnd) process.channel?.ref();
}
