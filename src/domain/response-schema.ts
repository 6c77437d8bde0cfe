import { z } from 'zod';
import type { FieldError } from './errors.ts';
import type { JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-value.ts';

/** The maximum number of characters of a response schema as JSON: it is sent with each model call of its turn. */
const maxSchemaCharacters = 32_768;

/** The JSON Schema of an object that the final answer of a turn satisfies. */
export const responseSchemaSchema = jsonObjectSchema
  .refine(
    (schema) => JSON.stringify(schema).length <= maxSchemaCharacters,
    `expected a schema of at most ${maxSchemaCharacters} characters`,
  )
  .describe('The JSON Schema of an object (2020-12 or draft-07) that the final answer of the turn satisfies');

/** The reasons why an answer does not satisfy the schema of its turn, for an answer after which the model is asked again. */
export const refusedAnswerSchema = z.object({
  /** The outcome that the turn has when the next answer satisfies the schema. */
  outcome: z.enum(['completed', 'iteration_limit']),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
});
export type RefusedAnswer = z.infer<typeof refusedAnswerSchema>;

/** The outcomes of a turn that its model has answered. */
export type AnsweredOutcome = RefusedAnswer['outcome'];

/** Returns the message to the model that lists the errors of its answer against the schema. */
export function toRepairNote({ errors }: RefusedAnswer): string {
  return (
    'Your answer does not satisfy the JSON Schema that it has to satisfy:\n' +
    `${errors.map((error) => `- ${toErrorLine(error)}`).join('\n')}\n` +
    'Answer again, with one JSON object that satisfies the schema and nothing else.'
  );
}

/** Returns the sentence that asks a model for an answer that satisfies a schema. */
export function toSchemaRequest(schema: JsonObject): string {
  return (
    'Your final answer has to be one JSON object that satisfies this JSON Schema, and nothing else: no explanation, ' +
    `and no code fence.\n${JSON.stringify(schema)}`
  );
}

/** Returns an error as one line: the place in the answer, and what is wrong there. */
export function toErrorLine({ field, message }: FieldError): string {
  return field === '' ? message : `${field} ${message}`;
}
