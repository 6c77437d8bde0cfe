import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { toChatMessages } from './message-dialects.ts';
import { getText, toText, type DraftCall, type DraftStep, type DraftTool, type DraftTurn } from './draft.ts';

/** A conversation as messages of OpenAI's chat completions have it. */
export interface ChatTranscript {
  instructions: string;
  turns: DraftTurn[];
}

/**
 * Reads messages of OpenAI's chat completions: `system`, `developer`, `user`, `assistant` with `tool_calls`, `tool`, and the
 * older `function_call` and `function`, and what `toChatMessages` reads as them (https://platform.openai.com/docs/api-reference/chat/create). Messages of the user
 * that follow each other are one message.
 */
export function readChatMessages(messages: readonly JsonValue[]): ChatTranscript {
  const instructions: string[] = [];
  const turns: DraftTurn[] = [];
  for (const message of toChatMessages(messages)) {
    const role = message['role'];
    if (role === 'system' || role === 'developer') instructions.push(readContent(message['content']));
    else if (role === 'user') addUserMessage(turns, readContent(message['content']));
    else if (role === 'assistant') openTurn(turns).steps.push(readAssistant(message));
    else if (role === 'tool' || role === 'function') addResult(turns, message);
    else throw new Error(`messages: expected a role of chat completions, found ${JSON.stringify(role)}`);
  }
  return { instructions: instructions.join('\n\n'), turns };
}

function addUserMessage(turns: DraftTurn[], text: string): void {
  const last = turns.at(-1);
  if (last && last.steps.length === 0) last.message = `${last.message}\n\n${text}`;
  else turns.push({ message: text, steps: [] });
}

/** An assistant that speaks first answers an empty message. */
function openTurn(turns: DraftTurn[]): DraftTurn {
  const last = turns.at(-1);
  if (last) return last;
  const turn: DraftTurn = { message: '', steps: [] };
  turns.push(turn);
  return turn;
}

/** Reads the answer of a model. */
export function readAssistant(message: JsonObject): DraftStep {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject) : [];
  const older = message['function_call'];
  return {
    text: readContent(message['content'] ?? message['refusal']),
    calls: [
      ...calls.map((call) => readCall(call['function'] ?? call['custom'] ?? call, call['id'])),
      ...(isJsonObject(older) ? [readCall(older, undefined)] : []),
    ],
  };
}

function readCall(called: JsonValue, id: JsonValue | undefined): DraftCall {
  const object = isJsonObject(called) ? called : {};
  const name = getText(object, 'name') ?? 'unnamed';
  const input = object['arguments'] ?? object['input'] ?? object['args'] ?? {};
  return { id: toText(id) || name, name, input, result: null, error: null };
}

function addResult(turns: DraftTurn[], message: JsonObject): void {
  const calls = (turns.at(-1)?.steps ?? []).flatMap((step) => step.calls);
  const id = message['tool_call_id'];
  const call = calls.findLast((one) => (id === undefined ? one.name === message['name'] : one.id === id));
  if (!call) throw new Error(`messages: expected a tool call ${JSON.stringify(id ?? message['name'])}`);
  const text = readContent(message['content']);
  if (message['is_error'] === true) call.error = text;
  else call.result = text;
}

/** Reads a content: a text, or a list of parts, of which those without text are named. */
export function readContent(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return toText(content);
  return content.map((part) => (isJsonObject(part) ? readPart(part) : toText(part))).join('\n');
}

function readPart(part: JsonObject): string {
  return getText(part, 'text', 'refusal') ?? `[${getText(part, 'type') ?? 'content'}]`;
}

/** Reads definitions of tools: `tools` of chat completions, or the older `functions`. */
export function readTools(tools: JsonValue | undefined): DraftTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isJsonObject).flatMap((tool) => {
    const definition = isJsonObject(tool['function']) ? tool['function'] : tool;
    const name = getText(definition, 'name');
    if (name === undefined) return [];
    const schema = definition['parameters'] ?? definition['input_schema'] ?? definition['inputSchema'];
    return [{ name, description: getText(definition, 'description'), schema }];
  });
}
