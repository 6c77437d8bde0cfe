import type { JsonObject, JsonValue } from './json.ts';

/** A question whose answer is the result of a tool call. */
export interface QuestionRequest {
  kind: 'question';
  question: string;
  /** JSON Schema of the answer. */
  schema: JsonObject;
  /** The choices of which the answer is one; null when there are none. */
  options: string[] | null;
}

/** A tool call that the caller's own program executes. Its arguments are those of the call. */
export interface ClientToolRequest {
  kind: 'client_tool';
}

/** Something that somebody else has to answer before a tool call ends. */
export type CallRequest = QuestionRequest | ClientToolRequest;

/** The schema of a decision that holds the answer, so that errors name its fields as `answer.…`. */
export function toAnswerSchema(schema: JsonObject): JsonObject {
  const { $schema, $defs, definitions, ...answer } = schema;
  // References such as `#/$defs/…` lead to the root of the whole schema.
  const kept = Object.entries({ $schema, $defs, definitions }).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(kept) as JsonObject),
    type: 'object',
    properties: { answer },
    required: ['answer'],
  };
}

/** An answer as the model is told it: a text as it is, every other value as JSON. */
export function toAnswerText(answer: JsonValue): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
