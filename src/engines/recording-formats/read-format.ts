import { type JsonValue, isJsonObject } from '../../domain/json.ts';
import type { Recording } from '../../domain/recording.ts';
import { readUiMessages } from './ai-sdk.ts';
import {
  parseJson,
  toRecordings,
  type DraftConversation,
  type ImportDefaults,
  getText,
  toContentId,
} from './draft.ts';
import { readLangfuse } from './langfuse.ts';
import type { DocumentAt, Refusal } from './langfuse-rows.ts';
import { readChatMessages, readTools } from './chat-messages.ts';

/** The formats of other programs that can be imported. */
export const importFormats = ['openai', 'ai-sdk', 'langfuse'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The lines of a file of another program, and the parts of it that cannot be read. */
interface ReadFile {
  recordings: Recording[];
  refused: Refusal[];
}

/**
 * Returns the lines of a file of another program, which is one JSON document or has one on each line.
 * @throws Error that names the line or the conversation that cannot be read; traces of Langfuse are refused one by one
 */
export function readFormat(format: ImportFormat, text: string, defaults: ImportDefaults): ReadFile {
  const documents = readDocuments(text);
  const toLines = (drafts: DraftConversation[]) => drafts.flatMap((draft) => toRecordings(draft, defaults));
  if (format === 'langfuse') {
    const { conversations, refused } = readLangfuse(documents.flatMap(listRows));
    return { recordings: toLines(conversations), refused };
  }
  const values = documents.map(({ value }) => value);
  return { recordings: toLines(listConversations(format, values)), refused: [] };
}

function listRows({ value, line }: DocumentAt): DocumentAt[] {
  return Array.isArray(value) ? value.map((one) => ({ value: one, line })) : [{ value, line }];
}

function listConversations(
  format: Exclude<ImportFormat, 'langfuse'>,
  documents: JsonValue[],
): DraftConversation[] {
  const read = format === 'openai' ? readOpenAiChat : readUiMessages;
  // A single list may hold conversations, or the messages of one.
  const [only] = documents;
  const isList =
    documents.length === 1 && Array.isArray(only) && (format === 'openai' || isListOfChats(only));
  const chats = isList ? only : documents;
  return chats.flatMap((chat, index) => {
    try {
      return read(chat);
    } catch (error) {
      throw new Error(
        `conversation ${index + 1}: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
    }
  });
}

function isListOfChats(list: JsonValue[]): boolean {
  return list.every(
    (one) => Array.isArray(one) || (typeof one === 'object' && one !== null && 'messages' in one),
  );
}

function readDocuments(text: string): DocumentAt[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [{ value: whole, line: 1 }];
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (value === undefined) throw new Error(`line ${index + 1}: expected JSON`);
    return [{ value, line: index + 1 }];
  });
}

/**
 * Reads a line of OpenAI's chat format, as files for fine-tuning have it: `{ messages, tools }`
 * (https://platform.openai.com/docs/api-reference/fine-tuning/chat-input). Requests with a `model` and an `id` are read too.
 * @throws Error when it is not one
 */
function readOpenAiChat(value: JsonValue): DraftConversation[] {
  if (!isJsonObject(value) || !Array.isArray(value['messages']))
    throw new Error('expected { messages: [ … ] }');
  const { instructions, turns } = readChatMessages(value['messages']);
  const model = getText(value, 'model');
  for (const { steps } of turns) for (const step of steps) step.model = model;
  const tools = [...readTools(value['tools']), ...readTools(value['functions'])];
  const id = getText(value, 'id') ?? toContentId('openai', value);
  return [{ id, instructions, tools, turns }];
}
