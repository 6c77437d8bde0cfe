import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import {
  getText,
  toContentId,
  toText,
  type DraftCall,
  type DraftConversation,
  type DraftStep,
  type DraftTurn,
} from './draft.ts';

/**
 * Reads UI messages of the AI SDK from version 5 on (https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message): a list of
 * them, or `{ id, title, messages }`. They have no definitions of tools.
 * @throws Error when it is neither
 */
export function readUiMessages(value: JsonValue): DraftConversation[] {
  const chat = Array.isArray(value) ? { messages: value } : value;
  const messages = isJsonObject(chat) ? chat['messages'] : undefined;
  if (!isJsonObject(chat) || !Array.isArray(messages)) throw new Error('expected a list of UI messages');
  const instructions: string[] = [];
  const turns: DraftTurn[] = [];
  for (const message of messages) {
    if (!isJsonObject(message) || !Array.isArray(message['parts']))
      throw new Error('expected UI messages with "parts", as the AI SDK has them from version 5 on');
    const parts = message['parts'].filter(isJsonObject);
    if (message['role'] === 'system') instructions.push(readTexts(parts));
    else if (message['role'] === 'user') addUserMessage(turns, parts);
    else if (message['role'] === 'assistant') addSteps(turns, message, parts);
    else throw new Error(`expected the role of a UI message, found ${JSON.stringify(message['role'])}`);
  }
  const id = getText(chat, 'id', 'chatId') ?? toContentId('ai-sdk', messages);
  return [{ id, title: getText(chat, 'title'), instructions: instructions.join('\n\n'), tools: [], turns }];
}

function addUserMessage(turns: DraftTurn[], parts: JsonObject[]): void {
  const last = turns.at(-1);
  const text = readTexts(parts);
  if (last && last.steps.length === 0) last.message = `${last.message}\n\n${text}`;
  else turns.push({ message: text, steps: [] });
}

function readTexts(parts: JsonObject[]): string {
  const texts = parts.flatMap((part) => {
    if (part['type'] === 'text') return [toText(part['text'])];
    return part['type'] === 'file' ? [`[file ${getText(part, 'filename', 'mediaType') ?? ''}]`] : [];
  });
  return texts.join('\n');
}

function addSteps(turns: DraftTurn[], message: JsonObject, parts: JsonObject[]): void {
  const turn = turns.at(-1) ?? { message: '', steps: [] };
  if (turns.length === 0) turns.push(turn);
  const metadata = isJsonObject(message['metadata']) ? message['metadata'] : {};
  const model = getText(metadata, 'model', 'modelId');
  const createdAt = toTime(metadata['createdAt']);
  for (const step of splitSteps(parts)) turn.steps.push({ ...step, model, createdAt });
}

function toTime(value: JsonValue | undefined): string | undefined {
  const time = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined;
  return time && Number.isFinite(time.getTime()) ? time.toISOString() : undefined;
}

/** A part `step-start` begins a step; without one, a text after tool calls does, since it needs their results. */
function splitSteps(parts: JsonObject[]): DraftStep[] {
  const steps: DraftStep[] = [];
  let isNew = true;
  const getStep = (): DraftStep => {
    const last = steps.at(-1);
    if (last && !isNew) return last;
    const step: DraftStep = { text: '', calls: [] };
    steps.push(step);
    isNew = false;
    return step;
  };
  for (const part of parts) {
    const type = toText(part['type']);
    if (type === 'step-start') isNew = true;
    else if (type === 'text') {
      if ((steps.at(-1)?.calls.length ?? 0) > 0) isNew = true;
      getStep().text += toText(part['text']);
    } else if (type === 'dynamic-tool' || type.startsWith('tool-'))
      getStep().calls.push(readTool(type, part));
  }
  return steps;
}

/** The states are those of `UIToolInvocation` in the package `ai`: a call without output was not over. */
function readTool(type: string, part: JsonObject): DraftCall {
  const name = type === 'dynamic-tool' ? toText(part['toolName']) : type.slice('tool-'.length);
  const state = part['state'];
  const isDenied = state === 'output-denied';
  return {
    id: getText(part, 'toolCallId') ?? name,
    name,
    input: part['input'] ?? part['rawInput'] ?? {},
    result: state === 'output-available' ? toText(part['output']) : null,
    error:
      state === 'output-error' ? toText(part['errorText']) : isDenied ? 'The user denied this call.' : null,
  };
}
