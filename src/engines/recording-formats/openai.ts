import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { readChatMessages, readTools } from './chat-messages.ts';
import { getText, toContentId, type DraftConversation } from './draft.ts';

/**
 * Reads a line of OpenAI's chat format, as files for fine-tuning have it: `{ messages, tools }`
 * (https://platform.openai.com/docs/api-reference/fine-tuning/chat-input). Requests with a `model` and an `id` are read too.
 * @throws Error when it is not one
 */
export function readOpenAiChat(value: JsonValue): DraftConversation[] {
  if (!isJsonObject(value) || !Array.isArray(value['messages']))
    throw new Error('expected { messages: [ … ] }');
  const { instructions, turns } = readChatMessages(value['messages']);
  const model = getText(value, 'model');
  for (const { steps } of turns) for (const step of steps) step.model = model;
  const tools = [...readTools(value['tools']), ...readTools(value['functions'])];
  const id = getText(value, 'id') ?? toContentId('openai', value);
  return [{ id, instructions, tools, turns }];
}
