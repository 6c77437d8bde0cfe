import type { FilePart, MessageContent, MessagePart } from './message-part.ts';

/** A message as it is stored: its text, and its parts when it was sent as parts. */
export interface StoredContent {
  text: string;
  parts: MessagePart[] | null;
}

/** Returns what is stored of a message. Without a text part, its text says what its parts are: `[2 images, 1 file]`. */
export function toStoredContent(content: MessageContent): StoredContent {
  if (typeof content === 'string') return { text: content, parts: null };
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return { text: texts.length > 0 ? texts.join('\n\n') : describeParts(content), parts: content };
}

/** Returns the text of a message, for lists, previews and searches. */
export function toMessageText(content: MessageContent): string {
  return toStoredContent(content).text;
}

function describeParts(parts: readonly MessagePart[]): string {
  const counts = new Map<string, number>();
  for (const { type } of parts) counts.set(type, (counts.get(type) ?? 0) + 1);
  const words = [...counts].map(([type, count]) =>
    type === 'data' ? 'data' : `${count} ${type}${count === 1 || type === 'audio' ? '' : 's'}`,
  );
  return `[${words.join(', ')}]`;
}

/** Returns whether a part names a file. */
export function isFilePart(part: MessagePart): part is FilePart {
  return 'fileId' in part;
}
