import { isJsonObject, type JsonObject, type JsonValue } from '../src/domain/json.ts';
import { listAt, readPath, textAt } from '../src/engines/providers/read-answer.ts';

/** Nodes that end a line. */
const lines = new Set(['paragraph', 'heading', 'codeBlock', 'listItem', 'tableRow', 'rule', 'hardBreak']);

/**
 * Writes plain text as a document of Atlassian: an empty line begins a paragraph.
 * https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */
export function toAtlassianDocument(text: string): JsonObject {
  const paragraphs = text.trim() === '' ? [] : text.trim().split(/\r?\n(?:\r?\n)+/);
  return { type: 'doc', version: 1, content: paragraphs.map(toParagraph) };
}

function toParagraph(text: string): JsonObject {
  const content = text
    .split(/\r?\n/)
    .flatMap((line, index): JsonObject[] => [
      ...(index === 0 ? [] : [{ type: 'hardBreak' }]),
      ...(line === '' ? [] : [{ type: 'text', text: line }]),
    ]);
  return { type: 'paragraph', content };
}

/** Fields of people, states and types that say nothing to a model. */
const unread = new Set(['self', 'avatarUrls', 'iconUrl', 'avatarId', 'expand', 'timeZone', 'accountType']);

/** Replaces every document of Atlassian in a value by its text, and leaves out addresses of pictures and of the API. */
export function readAtlassianDocuments(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(readAtlassianDocuments);
  if (!isJsonObject(value)) return value;
  if (value.type === 'doc' && Array.isArray(value.content))
    return toText(value)
      .replaceAll(/\n{2,}/g, '\n')
      .trim();
  const read = Object.entries(value).filter(([name, one]) => one !== null && !unread.has(name));
  const entries = read.map(([name, one]) => [name, readAtlassianDocuments(one)] as const);
  return Object.fromEntries(entries);
}

function toText(node: JsonValue): string {
  const type = textAt(node, 'type') ?? '';
  const shown = textAt(node, 'text') ?? toAttributeText(node);
  const inner = listAt(node, 'content').map(toText).join('');
  return `${type === 'listItem' ? '- ' : ''}${shown}${inner}${lines.has(type) ? '\n' : ''}`;
}

/** The text of nodes that have it in an attribute: mentions, emojis, dates, statuses and cards of links. */
function toAttributeText(node: JsonValue): string {
  const found = ['text', 'shortName', 'url'].map((name) => readPath(node, `attrs.${name}`));
  return found.find((one): one is string => typeof one === 'string') ?? '';
}
