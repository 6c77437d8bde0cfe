import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { Usage } from '../../domain/model.ts';
import {
  recordingVersion,
  type RecordedCall,
  type RecordedStep,
  type Recording,
} from '../../domain/recording.ts';
import { toStorableText } from '../../domain/storable.ts';
import { addUsage, noUsage } from '../../domain/usage.ts';

/** A tool call of another format. */
export interface DraftCall {
  id: string;
  name: string;
  /** An object, or the text that the model wrote. */
  input: unknown;
  /** Null until there is one. */
  result: string | null;
  error: string | null;
}

/** A model call of another format. */
export interface DraftStep {
  text: string;
  calls: DraftCall[];
  model?: string | undefined;
  usage?: Usage | undefined;
  sampling?: { temperature?: number; maxOutputTokens?: number } | undefined;
  createdAt?: string | undefined;
}

/** A message of the user, and the model calls that followed. */
export interface DraftTurn {
  message: string;
  steps: DraftStep[];
}

/** A tool of another format. */
export interface DraftTool {
  name: string;
  description?: string | undefined;
  schema?: unknown;
}

/** A conversation of another format. */
export interface DraftConversation {
  id: string;
  title?: string | undefined;
  instructions: string;
  tools: DraftTool[];
  turns: DraftTurn[];
}

/** Values for fields that a file leaves out. */
export interface ImportDefaults {
  /** The model of conversations that name none. */
  model: string;
  /** The name of the agent that the conversations get. */
  agentName: string;
  /** The time of conversations without one, in ISO 8601. */
  now: string;
}

/** Returns the lines of a conversation: one for each turn. */
export function toRecordings(draft: DraftConversation, defaults: ImportDefaults): Recording[] {
  const model = draft.turns.flatMap(({ steps }) => steps).find((step) => step.model)?.model ?? defaults.model;
  const createdAt = draft.turns[0]?.steps[0]?.createdAt ?? defaults.now;
  const { id, title = null, instructions, turns } = draft;
  return turns.map((turn, index) => {
    const steps = turn.steps.map((step, at) => toStep(step, at + 1, model));
    const at = turn.steps[0]?.createdAt ?? createdAt;
    return {
      schemaVersion: recordingVersion,
      conversation: { id, title: title?.slice(0, 200) ?? null, tags: [], createdAt },
      agent: {
        ...{ id: `${defaults.agentName} ${model}`.slice(0, 200), versionId: null, name: defaults.agentName },
        ...{ version: 1, model, instructions, limits: {}, rules: {}, toolCallsInText: null },
      },
      tools: listTools(draft),
      turn: {
        ...{ id: `${id}-${index + 1}`, ordinal: index + 1, ...toEnd(steps) },
        ...{ closing: null, iterations: steps.length, usage: sumUsage(steps), hidden: false, parent: null },
        ...{ responseSchema: null, answerJson: null },
        ...{ createdAt: at, startedAt: at, settledAt: turn.steps.at(-1)?.createdAt ?? at },
      },
      message: { id: null, text: turn.message, parts: null },
      steps,
      compactions: [],
    };
  });
}

/** A turn whose file ends with tool calls has no answer. */
function toEnd(steps: RecordedStep[]): Pick<Recording['turn'], 'outcome' | 'error' | 'answer'> {
  const last = steps.at(-1);
  if (last?.toolCalls.length === 0) return { outcome: 'completed', error: null, answer: last.text };
  const error = { code: 'INCOMPLETE', message: 'The imported conversation has no answer to this message.' };
  return { outcome: 'failed', error, answer: null };
}

function sumUsage(steps: RecordedStep[]): Usage {
  return steps.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

function toStep(step: DraftStep, iteration: number, model: string): RecordedStep {
  return {
    ...{ iteration, messages: [], toolChoice: null, leftOut: [], addedInstructions: null },
    ...{ sampling: step.sampling ?? null, contextFrom: null },
    ...{ model: step.model ?? model, answeredBy: step.model ?? model, text: step.text },
    finishReason: step.calls.length > 0 ? 'tool_calls' : 'stop',
    providerContent: null,
    refused: null,
    usage: step.usage ?? noUsage,
    createdAt: step.createdAt ?? null,
    toolCalls: step.calls.map(toCall),
  };
}

function toCall({ id, name, input, result, error }: DraftCall, index: number): RecordedCall {
  const value = typeof input === 'string' ? parseJson(input) : input;
  const isObject = isJsonObject(value);
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? null);
  return {
    // The ids of other programs need not be unique in a turn.
    ...{
      id: null,
      shownId: null,
      index,
      modelCallId: id,
      name: name.slice(0, 200) || 'unnamed',
      type: null,
      effect: 'unsafe',
    },
    arguments: isObject ? value : null,
    invalidArguments: isObject ? null : text,
    status: result !== null ? 'succeeded' : error !== null ? 'failed' : 'unknown',
    result,
    resultBytes: result === null ? null : Buffer.byteLength(result),
    error: error === null ? null : { code: 'TOOL_FAILED', message: error },
    ...{ attempts: 1, childTurnId: null, startedAt: null, endedAt: null },
  };
}

/** The tools of the conversation; those that were called and are not defined take any arguments. */
function listTools({ tools, turns }: DraftConversation): Recording['tools'] {
  const called = turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(({ name }) => name)));
  const defined = new Set(tools.map(({ name }) => name));
  const missing = [...new Set(called)].filter((name) => !defined.has(name)).sort();
  return [...tools, ...missing.map((name): DraftTool => ({ name }))]
    .filter(({ name }) => /^[\w-]{1,64}$/.test(name))
    .map(({ name, description = '', schema }) => ({
      ...{ name, description, type: null, effect: null },
      schema: isJsonObject(schema) ? schema : { type: 'object' },
    }));
}

/** Returns the value of a text of JSON; undefined when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Returns a value as the model reads it: a text as it is, everything else as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return toStorableText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Returns an id that is the same for the same content. */
export function toContentId(prefix: string, content: unknown): string {
  return `${prefix}-${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)}`;
}

/** Returns a field of an object when it is a text that is not empty. */
export function getText(object: JsonObject, ...names: string[]): string | undefined {
  return names.map((name) => object[name]).find((value) => typeof value === 'string' && value !== '') as
    string | undefined;
}
