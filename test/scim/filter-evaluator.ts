/** A person as the evaluator sees them. */
export interface Person {
  id: string;
  userName: string;
  externalId: string | null;
  workEmail: string;
  givenName: string;
  familyName: string;
  active: boolean;
  /** Milliseconds. */
  lastModified: number;
}

export type Op = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le' | 'pr';
export type Leaf = { attribute: Attribute; op: Op; value: string | boolean | null };
export type Tree = Leaf | { all: Tree[] } | { any: Tree[] } | { not: Tree } | { ofEmails: Tree };

/** Lower case letter by letter, as a text that knows no neighbours. */
const anyCase = (text: string) =>
  Array.from(text, (letter) => (letter === 'İ' ? letter : letter.toLowerCase())).join('');
const ascii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const exact = (text: string) => text;

/** How each attribute is found, and in which way its texts are compared. */
export const ATTRIBUTES = {
  id: { of: (person: Person) => person.id, fold: exact },
  userName: { of: (person: Person) => person.userName, fold: ascii },
  externalId: { of: (person: Person) => person.externalId, fold: exact },
  emails: { of: (person: Person) => person.workEmail, fold: anyCase },
  'emails.value': { of: (person: Person) => person.workEmail, fold: anyCase },
  'emails[type eq "work"].value': { of: (person: Person) => person.workEmail, fold: anyCase },
  'name.givenName': { of: (person: Person) => person.givenName, fold: anyCase },
  'name.familyName': { of: (person: Person) => person.familyName, fold: anyCase },
  displayName: { of: (person: Person) => `${person.givenName} ${person.familyName}`, fold: anyCase },
  active: { of: (person: Person) => person.active, fold: exact },
  'meta.lastModified': { of: (person: Person) => person.lastModified, fold: exact },
  value: { of: (person: Person) => person.workEmail, fold: anyCase },
  type: { of: () => 'work', fold: anyCase },
  primary: { of: () => true, fold: exact },
} as const;
export type Attribute = keyof typeof ATTRIBUTES;

/** Whether a person is whom a filter asks for. */
export function isTrue(tree: Tree, person: Person): boolean {
  if ('all' in tree) return tree.all.every((each) => isTrue(each, person));
  if ('any' in tree) return tree.any.some((each) => isTrue(each, person));
  if ('not' in tree) return !isTrue(tree.not, person);
  if ('ofEmails' in tree) return isTrue(tree.ofEmails, person);
  const { of, fold } = ATTRIBUTES[tree.attribute];
  const stored = of(person);
  if (tree.op === 'pr') return stored !== null;
  if (tree.value === null) return (stored === null) === (tree.op === 'eq');
  if (stored === null) return tree.op === 'ne';
  if (typeof stored === 'boolean') return (stored === tree.value) === (tree.op === 'eq');
  if (typeof stored === 'number') return inOrder(tree.op, stored - Date.parse(String(tree.value)));
  const [left, right] = [fold(stored), fold(String(tree.value))];
  if (tree.op === 'co') return left.includes(right);
  if (tree.op === 'sw') return left.startsWith(right);
  if (tree.op === 'ew') return left.endsWith(right);
  return inOrder(tree.op, Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

function inOrder(op: Op, difference: number): boolean {
  if (op === 'eq') return difference === 0;
  if (op === 'ne') return difference !== 0;
  if (op === 'gt') return difference > 0;
  if (op === 'ge') return difference >= 0;
  return op === 'lt' ? difference < 0 : difference <= 0;
}

/** Comparisons of the filter. */
export function comparisons(tree: Tree): number {
  if ('all' in tree || 'any' in tree) {
    return ('all' in tree ? tree.all : tree.any).reduce((sum, each) => sum + comparisons(each), 0);
  }
  if ('not' in tree) return comparisons(tree.not);
  if ('ofEmails' in tree) return comparisons(tree.ofEmails);
  return tree.attribute.includes('[') ? 2 : 1;
}

/** The filter as a request has it. */
export function written(tree: Tree): string {
  if ('all' in tree)
    return tree.all.map((each) => ('any' in each ? `(${written(each)})` : written(each))).join(' and ');
  if ('any' in tree) return tree.any.map(written).join(' or ');
  if ('not' in tree) return `not (${written(tree.not)})`;
  if ('ofEmails' in tree) return `emails[${written(tree.ofEmails)}]`;
  const { attribute, op, value } = tree;
  return op === 'pr' ? `${attribute} pr` : `${attribute} ${op} ${JSON.stringify(value)}`;
}
