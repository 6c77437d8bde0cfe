/** A statement that is prepared once for each connection: parsed and planned there, then only executed. */
export interface Statement<Values, Row> {
  name: string;
  /** With positional parameters. */
  text: string;
  /** The names of the parameters in the order of their positions. */
  parameters: (keyof Values & string)[];
  /** Only a type: what a row holds. */
  row?: Row;
}

/** Runs a prepared statement in a transaction. */
export type Query = <Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: Values,
) => Promise<Row[]>;

/**
 * Defines a statement whose parameters are written `:name`. Statements with the same name must be the same:
 * Postgres knows them by it.
 */
export function defineStatement<Values extends object, Row>(
  name: string,
  text: string,
): Statement<Values, Row> {
  const parameters: (keyof Values & string)[] = [];
  const positional = text.replace(/(?<!:):([A-Za-z]+)/g, (_, found: keyof Values & string) => {
    if (!parameters.includes(found)) parameters.push(found);
    return `$${parameters.indexOf(found) + 1}`;
  });
  return { name, text: positional, parameters };
}
