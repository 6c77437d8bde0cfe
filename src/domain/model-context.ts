import type { ErrorInfo } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import type { ModelMessage } from './model.ts';
import { toStorableJson } from './storable.ts';
import type { ToolCallStatus } from './turn.ts';

/** The most characters of a tool result that a model receives; a character is at least one byte. */
export const modelResultCharacters = 32_768;

/** The instruction that is added to those of the agent when a model has to answer without its tools. */
export const withheldNote =
  'You have used all rounds of tool calls of this turn, or all its tokens. Answer now, without tools, from what you ' +
  'have found so far, and say what is still open.';

/** A stored tool call for the context of a model; `result` is at most {@link modelResultCharacters} long. */
export interface ContextToolCall {
  id: string;
  modelCallId: string;
  name: string;
  arguments: JsonObject | null;
  invalidArguments: string | null;
  status: ToolCallStatus;
  result: string | null;
  /** The length of the whole result in bytes, as far as it was read. */
  resultBytes: number | null;
  error: ErrorInfo | null;
}

/** A stored message with the tool calls that it requested. */
export interface ContextMessage {
  turnOrdinal: number;
  /** The ordinal of the first turn in the requested window. */
  firstOrdinal: number;
  /** How many characters the conversation had before the turn; null for all but the first message of a turn. */
  charactersBefore: number | null;
  iteration: number;
  role: 'user' | 'assistant';
  text: string;
  providerContent: JsonValue | null;
  toolCalls: ContextToolCall[] | null;
}

/** Returns the number of characters by which an answer lengthens its conversation: its text and the arguments of its calls. */
export function countAnswer(text: string, toolCalls: { arguments: JsonObject | null }[]): number {
  return text.length + toStorableJson(toolCalls.map((call) => call.arguments)).length;
}

/** Returns the number of characters by which the end of a tool call lengthens its conversation. */
export function countToolEnd({ result, error }: { result?: string; error?: ErrorInfo }): number {
  return (result ?? error?.message ?? '').length;
}

/**
 * Leaves out the turns of a context that began within its first `excess` characters, counted from the start of the
 * conversation. The turn that runs stays.
 */
export function leaveOutExcess(context: ContextMessage[], excess: number): ContextMessage[] {
  const running = context.at(-1)?.turnOrdinal;
  const last = context.findLast(
    ({ turnOrdinal, charactersBefore }) =>
      turnOrdinal !== running && charactersBefore !== null && charactersBefore < excess,
  );
  return last ? context.filter(({ turnOrdinal }) => turnOrdinal > last.turnOrdinal) : context;
}

/** Maps the stored messages of a conversation to the messages of a model call. */
export function toModelMessages(messages: ContextMessage[]): ModelMessage[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [toUserMessage(message)] : toAnswer(message),
  );
}

function toUserMessage({ text }: ContextMessage): ModelMessage {
  return { role: 'user', text };
}

function toAnswer({ text, toolCalls, providerContent }: ContextMessage): ModelMessage[] {
  const calls = toolCalls ?? [];
  const answer: ModelMessage = {
    role: 'assistant',
    text,
    toolCalls: calls.map(({ modelCallId, name, arguments: input, invalidArguments }) => ({
      modelCallId,
      name,
      arguments: input,
      ...(invalidArguments === null ? {} : { invalidArguments }),
    })),
    ...(providerContent === null ? {} : { providerContent }),
  };
  return [answer, ...calls.map(toToolMessage)];
}

function toToolMessage(call: ContextToolCall): ModelMessage {
  return {
    role: 'tool',
    modelCallId: call.modelCallId,
    name: call.name,
    text: call.status === 'succeeded' ? toResultText(call) : toFailureText(call),
    isError: call.status !== 'succeeded',
  };
}

function toResultText({ id, result, resultBytes }: ContextToolCall): string {
  const text = result ?? '';
  const bytes = resultBytes ?? text.length;
  if (text.length < modelResultCharacters && bytes <= modelResultCharacters) return text;
  const shown = text.toWellFormed();
  return `${shown}\n[The result is cut here: ${shown.length} characters of ${bytes} bytes are shown. The rest is stored with tool call ${id}.]`;
}

function toFailureText({ error, status }: ContextToolCall): string {
  const { code, message, details } = error ?? {
    code: 'TOOL_FAILED',
    message: `The call ended as ${status}.`,
  };
  const lines = [`${code}: ${message}`];
  const shown = withoutInternal(details);
  if (shown !== undefined) lines.push(JSON.stringify(shown));
  return lines.join('\n').slice(0, modelResultCharacters).toWellFormed();
}

/** Leaves out what is for operators only: a model may repeat everything to a person. */
function withoutInternal(details: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(details)) return details;
  const { internal, ...shown } = details;
  return internal !== undefined && Object.keys(shown).length === 0 ? undefined : shown;
}
