import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import {
  readAssistant,
  readChatMessages,
  readContent,
  readTools,
  type ChatTranscript,
} from './chat-messages.ts';
import {
  getText,
  parseJson,
  toText,
  type DraftConversation,
  type DraftStep,
  type DraftTool,
  type DraftTurn,
} from './draft.ts';
import { listGenerations, type Generation } from './langfuse-rows.ts';

/**
 * Reads exports of Langfuse: observations or traces as lists, pages or lines of JSON, with the names of its API
 * (https://api.reference.langfuse.com) or of its exports to files
 * (https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields). A session is a conversation, else a
 * trace is; each trace is a turn, whose model calls are its generations. The earlier turns of a trace without a session come
 * from the messages of its first generation.
 */
export function readLangfuse(rows: readonly JsonValue[]): DraftConversation[] {
  const generations = listGenerations(rows);
  const conversations = Map.groupBy(generations, ({ sessionId, traceId }) => sessionId ?? traceId);
  return [...conversations].map(([id, own]) => readConversation(id, own));
}

function readConversation(id: string, generations: Generation[]): DraftConversation {
  const ordered = generations.toSorted((one, other) => one.startTime.localeCompare(other.startTime));
  const inputs = new Map(ordered.map((generation) => [generation, readInput(generation.input)]));
  const conversation: DraftConversation = { id, instructions: '', tools: [], turns: [] };
  for (const trace of Map.groupBy(ordered, ({ traceId }) => traceId).values()) {
    const traced = trace.map((generation) => ({ ...generation, read: inputs.get(generation) as ReadInput }));
    conversation.turns.push(...readTrace(traced, conversation.turns.length === 0));
    conversation.title ??= trace[0]?.traceName;
    for (const { read } of traced) {
      conversation.instructions ||= read.instructions;
      if (conversation.tools.length === 0) conversation.tools = read.tools;
    }
  }
  return conversation;
}

interface ReadInput extends ChatTranscript {
  tools: DraftTool[];
}

/** The input of a generation: messages, a request with `messages` and `tools`, or a text. */
function readInput(input: JsonValue): ReadInput {
  const request = isJsonObject(input) ? input : { messages: input };
  const messages = request['messages'] ?? request['input'] ?? request['prompt'];
  const list = Array.isArray(messages) && messages.every((one) => isJsonObject(one) && 'role' in one);
  const system = getText(request, 'system', 'instructions');
  const transcript = list
    ? readChatMessages(messages)
    : { instructions: '', turns: [{ message: toText(messages ?? input), steps: [] }] };
  const instructions = [system, transcript.instructions].filter(Boolean).join('\n\n');
  return { ...transcript, instructions, tools: readTools(request['tools'] ?? request['functions']) };
}

/** Generations about another message, such as one that makes a title, are left out. */
function readTrace(trace: (Generation & { read: ReadInput })[], isFirst: boolean): DraftTurn[] {
  const [first] = trace;
  const turns = first?.read.turns ?? [];
  const asked = turns.at(-1);
  if (!first || !asked) return [];
  const own = trace.filter(({ read }) => read.turns.at(-1)?.message === asked.message);
  const steps = own.map(({ output, ...generation }) => ({ ...readOutput(output), ...toFacts(generation) }));
  addResults(
    steps,
    own.flatMap(({ read }) => read.turns.at(-1)?.steps ?? []),
  );
  // The first generation may go on with a turn whose steps before it were not exported.
  const turn = { message: asked.message, steps: [...asked.steps, ...steps] };
  return isFirst ? [...turns.slice(0, -1), turn] : [turn];
}

function toFacts({ model, usage, sampling, startTime }: Omit<Generation, 'output'>) {
  return { model, usage, sampling, createdAt: startTime };
}

/** The output of a generation: a message, a list that ends with one, an answer with `choices`, or a text. */
function readOutput(output: JsonValue): DraftStep {
  const parsed = typeof output === 'string' ? (parseJson(output) ?? output) : output;
  const choices = isJsonObject(parsed) ? parsed['choices'] : undefined;
  const chosen = Array.isArray(choices) ? choices[0] : Array.isArray(parsed) ? parsed.at(-1) : parsed;
  const message = isJsonObject(chosen) && isJsonObject(chosen['message']) ? chosen['message'] : chosen;
  if (!isJsonObject(message)) return { text: toText(output), calls: [] };
  const isMessage = 'role' in message || 'content' in message || 'tool_calls' in message;
  return isMessage ? readAssistant(message) : { text: readContent(parsed), calls: [] };
}

/** The results of tool calls are in the messages of the generations after them. */
function addResults(steps: DraftStep[], seen: DraftStep[]): void {
  const results = new Map(
    seen.flatMap(({ calls }) => calls.flatMap(({ id, result }) => (result === null ? [] : [[id, result]]))),
  );
  for (const call of steps.flatMap(({ calls }) => calls)) call.result ??= results.get(call.id) ?? null;
}
