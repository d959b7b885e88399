import { Sql } from 'sql-template-tag';

/**
 * Composes a statement once for whatever values: putting a long one together takes longer than sending it.
 *
 * @param compose is given the names in the place of their values, and passes them on as parameters only
 * @returns the statement with the values of the names
 */
export function composeOnce<Name extends string>(
  names: readonly Name[],
  compose: (values: Readonly<Record<Name, Name>>) => Sql,
): (values: Readonly<Partial<Record<Name, unknown>>>) => Sql {
  const { strings, values } = compose(Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>);
  const order = values as Name[];
  return (given) =>
    new Sql(
      strings,
      order.map((name) => given[name]),
    );
}
