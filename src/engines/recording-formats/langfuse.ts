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
import { toChatMessages } from './message-dialects.ts';
import {
  listGenerations,
  toMessage,
  type DocumentAt,
  type Generation,
  type Refusal,
} from './langfuse-rows.ts';

/**
 * Reads exports of Langfuse: observations or traces as lists, pages or lines of JSON, with the names of its API
 * (https://api.reference.langfuse.com) or of its exports to files
 * (https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields). A session is a conversation, else a
 * trace is; each trace is a turn, whose model calls are its generations. The earlier turns of a trace without a session come
 * from the messages of its first generation. A trace that cannot be read is refused, and the others are read.
 */
export function readLangfuse(rows: readonly DocumentAt[]): {
  conversations: DraftConversation[];
  refused: Refusal[];
} {
  const { generations, refused } = listGenerations(rows);
  const read = [...Map.groupBy(generations, ({ traceId }) => traceId).values()].flatMap((trace) => {
    try {
      return trace.map((generation) => ({
        ...generation,
        read: readInput(generation.input),
        answer: readOutput(generation.output),
      }));
    } catch (error) {
      const [first] = trace;
      refused.push({ line: first?.line ?? 1, traceId: first?.traceId, message: toMessage(error) });
      return [];
    }
  });
  const conversations = Map.groupBy(read, ({ sessionId, traceId }) => sessionId ?? traceId);
  return { conversations: [...conversations].map(([id, own]) => readConversation(id, own)), refused };
}

interface ReadGeneration extends Generation {
  read: ReadInput;
  answer: DraftStep;
}

function readConversation(id: string, generations: ReadGeneration[]): DraftConversation {
  const ordered = generations.toSorted((one, other) => one.startTime.localeCompare(other.startTime));
  const conversation: DraftConversation = { id, instructions: '', tools: [], turns: [] };
  for (const traced of Map.groupBy(ordered, ({ traceId }) => traceId).values()) {
    conversation.turns.push(...readTrace(traced, conversation.turns.length === 0));
    conversation.title ??= traced[0]?.traceName;
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
  const list =
    Array.isArray(messages) && messages.every((one) => isJsonObject(one) && ('role' in one || 'type' in one));
  const system = getText(request, 'system', 'instructions');
  const transcript = list
    ? readChatMessages(messages)
    : { instructions: '', turns: [{ message: toText(messages ?? input), steps: [] }] };
  const instructions = [system, transcript.instructions].filter(Boolean).join('\n\n');
  return { ...transcript, instructions, tools: readTools(request['tools'] ?? request['functions']) };
}

/** Generations about another message, such as one that makes a title, are left out. */
function readTrace(trace: ReadGeneration[], isFirst: boolean): DraftTurn[] {
  const [first] = trace;
  const turns = first?.read.turns ?? [];
  const asked = turns.at(-1);
  if (!first || !asked) return [];
  const own = trace.filter(({ read }) => read.turns.at(-1)?.message === asked.message);
  const steps = own.map(({ answer, ...generation }) => ({ ...answer, ...toFacts(generation) }));
  addResults(
    steps,
    own.flatMap(({ read }) => read.turns.at(-1)?.steps ?? []),
  );
  // The first generation may continue with a turn whose steps before it were not exported.
  const turn = { message: asked.message, steps: [...asked.steps, ...steps] };
  return isFirst ? [...turns.slice(0, -1), turn] : [turn];
}

function toFacts({ model, usage, sampling, startTime }: Omit<Generation, 'output'>) {
  return { model, usage, sampling, createdAt: startTime };
}

/** The output of a generation: a message, a list that ends with one, an answer with `choices`, or a text. */
function readOutput(output: JsonValue): DraftStep {
  const parsed = typeof output === 'string' ? (parseJson(output) ?? output) : output;
  const items = isJsonObject(parsed) && Array.isArray(parsed['output']) ? parsed['output'] : parsed;
  if (Array.isArray(items) && items.some(isResponseItem)) return readItems(items);
  const choices = isJsonObject(parsed) ? parsed['choices'] : undefined;
  const chosen = Array.isArray(choices) ? choices[0] : Array.isArray(parsed) ? parsed.at(-1) : parsed;
  const message = isJsonObject(chosen) && isJsonObject(chosen['message']) ? chosen['message'] : chosen;
  if (!isJsonObject(message)) return { text: toText(output), calls: [] };
  const isMessage = ['role', 'content', 'tool_calls', 'toolCalls'].some((name) => name in message);
  return isMessage
    ? readItems([{ ...message, role: 'assistant' }])
    : { text: readContent(parsed), calls: [] };
}

function isResponseItem(item: JsonValue): boolean {
  return isJsonObject(item) && ['message', 'function_call', 'reasoning'].includes(toText(item['type']));
}

/** One answer of a model, of one message or of the items of OpenAI's Responses. */
function readItems(items: JsonValue[]): DraftStep {
  const steps = toChatMessages(items).map(readAssistant);
  return { text: steps.map(({ text }) => text).join(''), calls: steps.flatMap(({ calls }) => calls) };
}

/** The results of tool calls are in the messages of the generations after them. */
function addResults(steps: DraftStep[], seen: DraftStep[]): void {
  const ended = seen.flatMap(({ calls }) =>
    calls.filter(({ result, error }) => result !== null || error !== null),
  );
  const ends = new Map(ended.map((call) => [call.id, call]));
  for (const call of steps.flatMap(({ calls }) => calls)) {
    const end = ends.get(call.id);
    call.result ??= end?.result ?? null;
    call.error ??= end?.error ?? null;
  }
}
