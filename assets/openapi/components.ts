import { ONE_OF } from '../../src/api/pagination.ts';

/** A JSON schema, as far as the document is made from it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  format?: string;
  default?: unknown;
  examples?: readonly unknown[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: unknown;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  'x-extensible-enum'?: readonly unknown[];
  [ONE_OF]?: readonly Schema[];
}

/** What the operations of a document share: schemas and answers, each under one name. */
export interface Components {
  /**
   * The schema of an answer; those in it that have a title are put among the components and referred to.
   *
   * @throws TypeError where another one has the title
   */
  schema(schema: Schema): Schema;
  /** The schema of a request, whose words are all that are accepted. */
  given(schema: Schema): Schema;
  /** A reference to an answer. */
  response(name: string, response: object): { $ref: string };
  readonly all: { readonly [Kind in 'schemas' | 'responses']: Readonly<Record<string, object>> };
}

/** Enums whose values stay, also in answers. To any other one a minor version may add values. */
const LASTING = new Set([
  'Role',
  'CompanyRole',
  'SystemRole',
  'ApproverRole',
  'MappedRole',
  'ClientType',
  'BudgetPeriod',
  'BookingStatus',
]);
/** Enums that requests have too, where no other value is accepted: in answers they have no name. */
const GIVEN_TOO = new Set(['EntityName', 'Scope', 'ExtendedEntity', 'FieldType', 'FieldLevel']);

/** Begins the components of a document. */
export function components(): Components {
  const schemas: Record<string, object> = {};
  const responses: Record<string, object> = {};

  function convert(isAnswer: boolean, { title, ...given }: Schema): Schema {
    const nested = (schema: Schema) => convert(isAnswer, schema);
    if (given[ONE_OF]) return { anyOf: given[ONE_OF].map(nested) };
    if (given.enum?.includes(null)) {
      // Generators make types of words alone.
      const { enum: values, type: _, ...others } = given;
      const words = { type: 'string', enum: values.filter((value) => value !== null) };
      return { anyOf: [nested(title === undefined ? words : { title, ...words }), { type: 'null' }], ...others };
    }
    const mayGrow = isAnswer && given.enum !== undefined && !(title !== undefined && LASTING.has(title));
    const { enum: values, ...whole } = oneTypeEach(given);
    const inside: Schema = {
      ...whole,
      ...(values === undefined ? {} : { [mayGrow ? 'x-extensible-enum' : 'enum']: values }),
      ...(whole.items ? { items: nested(whole.items) } : {}),
      ...(whole.anyOf ? { anyOf: whole.anyOf.map(nested) } : {}),
      ...(whole.properties ? { properties: mapped(whole.properties, nested) } : {}),
    };
    if (title === undefined || (mayGrow && GIVEN_TOO.has(title))) return inside;
    if (values === undefined) return keep('schemas', schemas, title, inside);
    // Words are the same wherever they stand, and mean something else in each place.
    const { description, examples, default: usual, ...words } = inside;
    return { ...keep('schemas', schemas, title, words), ...present({ description, default: usual, examples }) };
  }

  return {
    schema: (schema) => convert(true, schema),
    given: (schema) => convert(false, schema),
    response: (name, response) => keep('responses', responses, name, response),
    all: { schemas, responses },
  };
}

/** Generators take a schema of several types for one of the first: each gets a schema of its own, but for null next to one type. */
function oneTypeEach({ type, ...others }: Schema): Schema {
  const types = [type].flat().filter((each) => each !== 'null');
  if (types.length < 2) return type === undefined ? others : { type, ...others };
  const { items, additionalProperties, ...common } = others;
  const partsOf = (each: unknown): Schema =>
    each === 'array' && items ? { items } : each === 'object' && additionalProperties ? { additionalProperties } : {};
  return { anyOf: [type].flat().map((each) => ({ type: each as string, ...partsOf(each) })), ...common };
}

/** Keeps a component under its name. */
function keep(kind: keyof Components['all'], kept: Record<string, object>, name: string, component: object) {
  const known = kept[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
    throw new TypeError(`Another one of the ${kind} is called ${name}`);
  }
  kept[name] = component;
  return { $ref: `#/components/${kind}/${name}` };
}

function mapped<Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function present(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The words with which a name begins: `approval policies` gives `ApprovalPolicies`. */
export function componentName(...words: readonly string[]): string {
  return words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** A value that holds to the schema, made of the examples in it. */
export function exampleOf(schema: Schema): unknown {
  const [example = schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.items) return [exampleOf(schema.items)];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  return mapped(schema.properties ?? {}, exampleOf);
}
