import { fieldMessage } from '../../../src/entities/values.ts';

/** What is for programs alone: people choose a date from a calendar, in the form that is theirs. */
const FOR_PROGRAMS = ', as YYYY-MM-DD';

/** The sentence on a field that does not hold to its rule, by the name that it has on the page. */
export function fieldProblem(label: string, expected: string): string {
  return fieldMessage(label, expected.replace(FOR_PROGRAMS, ''));
}

/** What the service says of fields, by the names that they have on the page. */
export function nameFields(
  problems: readonly { field: string; message: string }[],
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    problems.map(({ field, message }) => {
      const named = message.replace(field, labels[field] ?? field);
      return [field, named.replace(FOR_PROGRAMS, '')];
    }),
  );
}
