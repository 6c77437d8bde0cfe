import type { JsonValue } from '../../domain/json.ts';
import type { Recording } from '../../domain/recording.ts';
import { readUiMessages } from './ai-sdk.ts';
import { parseJson, toRecordings, type DraftConversation, type ImportDefaults } from './draft.ts';
import { readLangfuse } from './langfuse.ts';
import { readOpenAiChat } from './openai.ts';

/** The formats of other programs that can be imported. */
export const importFormats = ['openai', 'ai-sdk', 'langfuse'] as const;
export type ImportFormat = (typeof importFormats)[number];

/**
 * Returns the lines of a file of another program, which is one JSON document or has one on each line.
 * @throws Error that names the line or the conversation that cannot be read
 */
export function readFormat(format: ImportFormat, text: string, defaults: ImportDefaults): Recording[] {
  const documents = readDocuments(text);
  return listConversations(format, documents).flatMap((draft) => toRecordings(draft, defaults));
}

function listConversations(format: ImportFormat, documents: JsonValue[]): DraftConversation[] {
  if (format === 'langfuse') return readLangfuse(documents.flatMap((one) => one));
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

function readDocuments(text: string): JsonValue[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (value === undefined) throw new Error(`line ${index + 1}: expected JSON`);
    return [value];
  });
}
