/*
 * Runs a test that Runscope exported, as Okta publishes its SCIM tests: requests with variables, assertions on their answers, and what later
 * requests take from them. Scripts and pauses are left out.
 */

interface Source {
  source: 'response_status' | 'response_json' | 'response_headers' | 'response_time' | 'response_text';
  property?: string;
}
interface Assertion extends Source {
  comparison: string;
  value: string | number | null;
}
interface Step {
  step_type: string;
  skipped?: boolean;
  note?: string;
  method: string;
  url: string;
  headers: Readonly<Record<string, readonly string[]>>;
  body?: string;
  assertions: readonly Assertion[];
  variables?: readonly (Source & { name: string })[];
}

/** What came of one assertion. */
export interface Outcome {
  name: string;
  /** Why it fell; undefined: it held. */
  fault: string | undefined;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  milliseconds: number;
}

/** @param variables that the requests name; those of answers are added */
export async function runRunscope(
  test: { steps: readonly Step[] },
  variables: Map<string, string>,
): Promise<Outcome[]> {
  const filled = (text: string) => text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => variables.get(name) ?? '');
  const outcomes: Outcome[] = [];
  for (const step of test.steps) {
    if (step.step_type !== 'request' || step.skipped) continue;
    const answer = await ask(step, filled);
    for (const { name, ...source } of step.variables ?? []) variables.set(name, String(valueIn(answer, source) ?? ''));
    for (const assertion of step.assertions) {
      const found = valueIn(answer, assertion);
      const isHeld = holds(assertion.comparison, found, filled(String(assertion.value ?? '')));
      const name = `${step.note ?? step.url}: ${assertion.property ?? assertion.source} ${assertion.comparison} ${assertion.value ?? ''}`;
      outcomes.push({
        name,
        fault: isHeld ? undefined : `${answer.status} ${JSON.stringify(found)} ${answer.text.slice(0, 300)}`,
      });
    }
  }
  return outcomes;
}

async function ask({ url, method, headers, body }: Step, filled: (text: string) => string): Promise<Answer> {
  const started = performance.now();
  const sent = Object.entries(headers).flatMap(([name, values]) => values.map((value) => [name, filled(value)]));
  const response = await fetch(filled(url), {
    method,
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...(body === undefined || method === 'GET' ? {} : { body: filled(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, milliseconds: performance.now() - started };
}

function valueIn({ status, headers, text, milliseconds }: Answer, { source, property = '' }: Source): unknown {
  if (source === 'response_status') return status;
  if (source === 'response_time') return milliseconds;
  if (source === 'response_headers') return headers.get(property);
  if (source === 'response_text') return text;
  try {
    const steps = property.split(/[.[\]]+/).filter((step) => step !== '');
    return steps.reduce(
      (value: unknown, step) => (value as Record<string, unknown> | undefined)?.[step],
      JSON.parse(text),
    );
  } catch {
    return undefined;
  }
}

function holds(comparison: string, found: unknown, value: string): boolean {
  const text = typeof found === 'string' ? found : JSON.stringify(found ?? null);
  switch (comparison) {
    case 'equal':
    case 'equal_number':
      return String(found) === value;
    case 'not_equal':
      return String(found) !== value;
    case 'is_a_number':
      return typeof found === 'number';
    case 'is_less_than':
      return Number(found) < Number(value);
    case 'empty':
      return found === undefined || found === null || text === '' || text === '[]';
    case 'not_empty':
      return found !== undefined && found !== null && text !== '' && text !== '[]';
    default:
      // contains, has_value
      return text.includes(value);
  }
}
