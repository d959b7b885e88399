/** A JSON schema, as far as the document is made from it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: readonly unknown[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
}

/** What the operations of a document share: schemas, answers and parameters, each under one name. */
export interface Components {
  /** The schema, those in it that have a title put among the components and referred to. @throws TypeError where another one has the title */
  schema(schema: Schema): Schema;
  /** A reference to an answer. @param names to choose from, the first that no other answer has */
  response(names: readonly string[], response: object): { $ref: string };
  /** A reference to a parameter. */
  parameter(names: readonly string[], parameter: object): { $ref: string };
  readonly all: { readonly [Kind in 'schemas' | 'responses' | 'parameters']: Readonly<Record<string, object>> };
}

/** Begins the components of a document. */
export function components(): Components {
  const schemas: Record<string, object> = {};
  const responses: Record<string, object> = {};
  const parameters: Record<string, object> = {};

  function schema({ title, ...given }: Schema): Schema {
    const whole = oneTypeEach(given);
    const inside: Schema = {
      ...whole,
      ...(whole.items ? { items: schema(whole.items) } : {}),
      ...(whole.anyOf ? { anyOf: whole.anyOf.map(schema) } : {}),
      ...(whole.properties ? { properties: mapped(whole.properties, schema) } : {}),
    };
    if (title === undefined) return inside;
    if (inside.enum === undefined) return keep('schemas', schemas, [title], inside);
    // Words are the same wherever they stand, and mean something else in each place.
    const { description, examples, default: usual, ...words } = inside;
    return { ...keep('schemas', schemas, [title], words), ...present({ description, default: usual, examples }) };
  }

  return {
    schema,
    response: (names, response) => keepOnce('responses', responses, names, response),
    parameter: (names, parameter) => keepOnce('parameters', parameters, names, parameter),
    all: { schemas, responses, parameters },
  };
}

/** Generators take a schema of several types for one of the first: each gets a schema of its own, but for null beside one type. */
function oneTypeEach({ type, ...others }: Schema): Schema {
  const types = [type].flat().filter((each) => each !== 'null');
  if (types.length < 2) return type === undefined ? others : { type, ...others };
  return { anyOf: [type].flat().map((each) => ({ type: each as string })), ...others };
}

type Kind = keyof Components['all'];

/** Keeps a component under the first name that is free, or that it has already. */
function keep(kind: Kind, kept: Record<string, object>, names: readonly string[], component: object) {
  const text = JSON.stringify(component);
  const name = names.find((each) => kept[each] === undefined || JSON.stringify(kept[each]) === text);
  if (name === undefined) throw new TypeError(`Another one of the ${kind} is called ${names.join(', ')}`);
  kept[name] = component;
  return { $ref: `#/components/${kind}/${name}` };
}

/** Keeps a component whose name says little: the same one is kept once, whatever it is to be called. */
function keepOnce(kind: Kind, kept: Record<string, object>, names: readonly string[], component: object) {
  const text = JSON.stringify(component);
  const known = Object.keys(kept).filter((each) => JSON.stringify(kept[each]) === text);
  return keep(kind, kept, known.length > 0 ? known : names, component);
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
