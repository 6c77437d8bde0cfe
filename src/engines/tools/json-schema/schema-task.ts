import type { FieldError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { matchesWhole, refusalOfPattern } from './linear-regexp.ts';
import { countValues, toSchemaCost } from './schema-cost.ts';
import { checkStrictSchema, checkToolArguments, checkToolSchema } from './tool-arguments.ts';

/** A piece of work with schemas or patterns of a tenant or a server. */
export type SchemaTask =
  /** `isForeign`: the program whose schema it is checks values again. */
  | { kind: 'schema'; schema: JsonObject; isForeign: boolean }
  /** `isForeign`: the schema comes from a server, and may be one that cannot be used. */
  | { kind: 'value'; schema: JsonObject; value: JsonObject; isForeign: boolean }
  | { kind: 'pattern'; pattern: string }
  | { kind: 'texts'; pattern: string; texts: string[] };

/** The results of each kind of task. */
export interface SchemaAnswers {
  /** A sentence that says what is wrong with the schema; null when it can be used. */
  schema: string | null;
  /** The errors of the value, why a foreign schema cannot be used, or why the check was not made. */
  value: { fields: FieldError[] } | { problem: string } | { refusal: string };
  /** The reason why the pattern cannot be used; null when it can. */
  pattern: string | null;
  /** Whether the pattern matches the whole of every text. */
  texts: boolean;
}

/** The result of a task. */
export type SchemaAnswer<Task extends SchemaTask> = SchemaAnswers[Task['kind']];

/** The greatest work of one check, as values of the schema times values of the data. */
const maxSteps = 100_000_000;

function checkValue({ schema, value, isForeign }: SchemaTask & { kind: 'value' }): SchemaAnswers['value'] {
  const problem = isForeign ? checkToolSchema(schema) : null;
  if (problem !== null) return { problem };
  const [steps, values] = [toSchemaCost(schema).steps, countValues(value)];
  if (steps * values <= maxSteps) return { fields: checkToolArguments(schema, value) };
  return { refusal: `a schema of ${steps} parts is too large for data of ${values} values` };
}

const runners: { [Kind in SchemaTask['kind']]: (task: never) => SchemaAnswers[Kind] } = {
  schema: ({ schema, isForeign }: SchemaTask & { kind: 'schema' }) =>
    isForeign ? checkToolSchema(schema) : checkStrictSchema(schema),
  value: checkValue,
  pattern: ({ pattern }: SchemaTask & { kind: 'pattern' }) => refusalOfPattern(pattern),
  texts: ({ pattern, texts }: SchemaTask & { kind: 'texts' }) =>
    texts.every((text) => matchesWhole(pattern, text)),
};

/** Runs a task where it is called: its time and memory are not limited here. */
export function runSchemaTask<Task extends SchemaTask>(task: Task): SchemaAnswer<Task> {
  return runners[task.kind](task as never) as SchemaAnswer<Task>;
}
