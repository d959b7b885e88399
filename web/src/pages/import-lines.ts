import { fold } from '../../../src/lib/text-folding.ts';
import { paiseOf, readAmount } from '../amounts.ts';
import { RequestError } from '../api/client.ts';
import type { Band, Department, ListedPerson, Person } from '../api/types.ts';
import { separators } from '../format.ts';
import type { LineFault } from '../parts/csv.ts';
import { type FormField, problemsIn, type Sent } from '../parts/form-fields.ts';
import { roleName } from '../texts.ts';
import { importTexts as words } from '../texts-import.ts';
import { COMPANY_ROLES, personFields } from './person-fields.ts';

/** A line of the table, by the names of the fields. */
export interface Line {
  /** Tells it from the others; the id of whom it adds, so that trying again adds nobody twice. */
  id: string;
  /** Where it stands in the file, from 1. */
  line: number;
  cells: Readonly<Record<string, string>>;
  /** Why it cannot be read: nothing of it is guessed. */
  fault?: LineFault | undefined;
}

/** What a line comes to. */
export interface Outlook {
  problems: Readonly<Record<string, string>>;
  /** Whom it is about; undefined: somebody is added. */
  person: ListedPerson | undefined;
  /** What is sent. */
  body: Sent;
  /** A role for somebody who is there already is not given here. */
  leavesRole: boolean;
}

/** What is compared with, and chosen from. */
export interface Present {
  people: readonly ListedPerson[];
  departments: readonly Department[];
  bands: readonly Band[];
}

/** The fields that a table may have, for people who are added and changed alike. */
export function importFields(caller: Person, { departments, bands }: Present): FormField[] {
  return personFields(undefined, caller, { departments, bands }).filter(({ name }) => name !== 'clientType');
}

/** Which field a column is, by its label or its name in files; undefined where nothing is known of it. */
export function fieldOf(fields: readonly FormField[], column: string): string | undefined {
  const plain = (text: string) => fold(text).replace(/[\s_-]/g, '');
  const wanted = plain(column);
  return fields.find(({ name, label }) => [name, name.replace(/Id$/, ''), label].some((one) => plain(one) === wanted))
    ?.name;
}

/** What each line comes to, and what is wrong with it. */
export function outlooks(lines: readonly Line[], fields: readonly FormField[], present: Present): Outlook[] {
  const known = new Map(present.people.map((person) => [withoutCase(person.email), person]));
  const counts = new Map<string, number>();
  const addressOf = (cells: Line['cells']) => withoutCase(cells.email ?? '');
  for (const { cells } of lines) counts.set(addressOf(cells), (counts.get(addressOf(cells)) ?? 0) + 1);
  return lines.map(({ id, cells, fault }) => {
    if (fault) return { problems: { '': words.faults[fault] }, person: undefined, body: {}, leavesRole: false };
    const email = addressOf(cells);
    const person = known.get(email);
    // Whoever is there already needs no more than their address.
    const own = person ? fields.map((field) => ({ ...field, isRequired: field.name === 'email' })) : fields;
    const problems: Record<string, string> = problemsIn(own, cells);
    if ((counts.get(email) ?? 0) > 1) problems.email = words.twice;
    const absent = fields.filter(({ name }) => name in problems && !(name in cells));
    if (absent.length > 0) problems.email ??= words.nobody(absent.map(({ label }) => label).join(', '));
    const body: Sent = person ? {} : { id };
    for (const { name, label, kind } of fields) {
      const text = cells[name] ?? '';
      if (text === '' || name in problems) continue;
      const value = meantBy(name, kind, text, present);
      if (value === undefined) problems[name] = words.unknown(label);
      else if (value === AMBIGUOUS) problems[name] = words.ambiguous(label);
      else if (!person || !isPresent(person, name, value)) body[name] = value;
    }
    const role = meantBy('role', 'choice', cells.role ?? '', present);
    const leavesRole = person !== undefined && role !== undefined && !person.roles.some((held) => held === role);
    return { problems, person, body, leavesRole };
  });
}

/** As the service compares addresses and codes: without regard to case, letter by letter, and by nothing else. */
function withoutCase(text: string): string {
  return text.trim().replace(/./gsu, (letter) => letter.toLowerCase());
}

/** Stands for several things that a text could mean. */
const AMBIGUOUS = Symbol('ambiguous');

/** What the service says of the lines that it was sent, by their ids. */
export function problemsOfLines(
  error: Error,
  sent: Readonly<Record<string, readonly { line: Line }[]>>,
  fields: readonly FormField[],
): ReadonlyMap<string, string> {
  const problems = error instanceof RequestError ? error.problems : [];
  return new Map(
    problems.flatMap(({ field, message }) => {
      const [whole = '', list = '', at = '', name = ''] = /^(create|update)\[(\d+)\]\.?(\w*)/.exec(field) ?? [];
      const line = sent[list]?.[Number(at)]?.line;
      const label = fields.find((known) => known.name === name)?.label ?? name;
      return line ? [[line.id, message.replace(`${whole}: `, '').replace(whole, label)] as const] : [];
    }),
  );
}

function meantBy(
  name: string,
  kind: FormField['kind'],
  text: string,
  present: Present,
): string | typeof AMBIGUOUS | undefined {
  const wanted = withoutCase(text);
  const named = (things: readonly { id: string; name: string }[], codeOf: (thing: never) => string) => {
    const meant = things.filter((thing) =>
      [thing.id, withoutCase(thing.name), withoutCase(codeOf(thing as never))].includes(wanted),
    );
    return meant.length > 1 ? AMBIGUOUS : meant[0]?.id;
  };
  if (name === 'departmentId') return named(present.departments, (one: Department) => one.costCode);
  if (name === 'bandId') return named(present.bands, (one: Band) => one.code);
  if (name === 'role')
    return COMPANY_ROLES.find((role) => [role.toLowerCase(), withoutCase(roleName(role))].includes(wanted));
  // As the service writes amounts, and so the file of the list of people: no language parts thousands so.
  if (kind === 'money') return readAmount(text, separators) ?? (/^\d+\.\d\d$/.test(text) ? text : undefined);
  return text;
}

/** Whether somebody has this already, as far as the list of people says; a role is given to whom is added alone. */
function isPresent(person: ListedPerson, name: string, value: string): boolean {
  if (name === 'email' || name === 'role') return true;
  if (name === 'departmentId') return person.department?.id === value;
  if (name === 'bandId') return person.band?.id === value;
  if (name === 'approvalLimit') return paiseOf(person.approvalLimit ?? '') === paiseOf(value);
  if (name === 'firstName' || name === 'lastName' || name === 'phone') return person[name] === value;
  return false;
}
