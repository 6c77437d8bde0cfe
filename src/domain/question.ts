import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** A question whose answer a tool call waits for. */
export interface QuestionRequest {
  kind: 'question';
  question: string;
  /** JSON Schema of the answer. */
  schema: JsonObject;
  /** The choices of which the answer is one; null when there are none. */
  options: string[] | null;
  /** The server that asks. Without one the answer is the result of the call. */
  source?: QuestionSource;
}

/** A tool call that the caller's own program executes. Its arguments are those of the call. */
export interface ClientToolRequest {
  kind: 'client_tool';
}

/** A request that a person or the caller's program has to answer before a tool call ends or continues. */
export type CallRequest = QuestionRequest | ClientToolRequest;

/**
 * The MCP server that asks a question, and the way in which it asked: in a `result` that the call continues from, in a
 * `request` while the call was open, or by an `error` that says to call again after the person was at `url`.
 */
export interface QuestionSource {
  server: string;
  via: 'result' | 'request' | 'error';
  /** The address that the person has to open; null for a form. */
  url: string | null;
  /** The name of the question in its result. */
  key?: string;
  /** The state that the server gets back unchanged with the answers. */
  requestState?: string;
  /** The number of questions that the call had asked before those of the same result. */
  round?: number;
}

/** A question of an MCP server: a form, or an address that a person has to open. */
export interface ServerQuestion {
  /** The name of the server. */
  server: string;
  message: string;
  /** JSON Schema of the answer. */
  schema: JsonObject;
  options: string[] | null;
  url: string | null;
}

/** The answer to a question of an MCP server. */
export interface ServerAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
}

/** The answers with which a call continues, by the names of the questions in the result that asked them. */
export interface ResumedCall {
  answers: Record<string, ServerAnswer>;
  requestState?: string;
}

/** How long a question may be held that a server asks while its call is open. */
export interface QuestionHold {
  /** The end of the time of the call, in epoch milliseconds. */
  deadline: number;
  /** Fires when the call has ended. */
  over: AbortSignal;
  /** Fires when the server no longer waits for the answer. */
  withdrawn: AbortSignal;
}

/** Lets a server ask people during a call. */
export interface CallDialogue {
  /** Asks while the call is open. Returns `cancel` when no answer arrives in time. */
  ask: (question: ServerQuestion, hold: QuestionHold) => Promise<ServerAnswer>;
  /** Set when the call was sent before and continues with answers. */
  resumed: ResumedCall | null;
}

/** The answers to a question that has an address in place of a form. */
export const urlAnswers: ServerAnswer['action'][] = ['accept', 'decline', 'cancel'];

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

/** Returns an answer with the defaults of its schema for the fields that were left out. */
export function withDefaults(schema: JsonObject | null, answer: JsonValue): JsonValue {
  if (!isJsonObject(schema?.properties) || !isJsonObject(answer)) return answer;
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) =>
    isJsonObject(property) && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...answer };
}

/** An answer as the model gets it: a text as it is, every other value as JSON. */
export function toAnswerText(answer: JsonValue): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
