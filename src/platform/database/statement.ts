import type { Knex } from 'knex';

/** A prepared statement: each database session parses and plans it once, and then only executes it. */
export interface Statement<Values, Row> {
  name: string;
  /** The SQL, with positional parameters. */
  text: string;
  /** The names of the parameters in the order of their positions. */
  parameters: (keyof Values & string)[];
  /** Whether its transaction waits for the disk after its commit, which has released its locks. @default false */
  isFlushed?: boolean;
  /** Carries the type of a row; never set. */
  row?: Row;
}

/** Runs a prepared statement in a transaction. */
export type Query = <Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: Values,
) => Promise<Row[]>;

/** Runs statements in a transaction of knex, which does not prepare them. */
export function toQuery(trx: Knex): Query {
  return async <Values extends object, Row>({ text, parameters }: Statement<Values, Row>, values: Values) => {
    const named = text.replace(
      /\$(\d+)/g,
      (_, position: string) => `:${String(parameters[Number(position) - 1])}`,
    );
    const { rows } = await trx.raw<{ rows: Row[] }>(named, values as Record<string, Knex.Value>);
    return rows;
  };
}

/** The texts of all statements by their names. */
const defined = new Map<string, string>();

/**
 * Defines a statement whose parameters are written `:name`. Statements with the same name must be
 * equal: Postgres identifies them by name, and a session that has prepared one of them refuses the other.
 */
export function defineStatement<Values extends object, Row>(
  name: string,
  text: string,
  { isFlushed = false }: Pick<Statement<Values, Row>, 'isFlushed'> = {},
): Statement<Values, Row> {
  const other = defined.get(name);
  if (other !== undefined && other !== text) throw new Error(`two statements have the name ${name}`);
  defined.set(name, text);
  const parameters: (keyof Values & string)[] = [];
  const positional = text.replace(/(?<!:):([A-Za-z]+)/g, (_, found: keyof Values & string) => {
    if (!parameters.includes(found)) parameters.push(found);
    return `$${parameters.indexOf(found) + 1}`;
  });
  return { name, text: positional, parameters, isFlushed };
}
