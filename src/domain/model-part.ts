import { isJsonObject, type JsonValue } from './json.ts';
import type { ModelInput } from './known-models.ts';
import type { ContextPart, FilePart, PartFile } from './message-part.ts';

/** A part of a message in a model call: a text, or a file with what the model gets of it. */
export type ModelPart = { type: 'text'; text: string } | ModelFilePart;

/** A file of a message or of a tool result. */
export interface ModelFilePart {
  type: 'file';
  /** Null when the file was deleted. */
  file: PartFile | null;
  /** The part of the message that names it. */
  from: FilePart['type'] | 'result';
  /** How closely the model looks at an image. */
  detail?: 'low' | 'high' | 'auto';
  /** The form in which the model gets the file; missing until a model was chosen. */
  shown?: ShownFile;
}

/** A file as the model gets it: as it is, or as a text, which may be a note. */
export type ShownFile = { as: 'bytes'; base64: string } | { as: 'text'; text: string };

/** Maps the stored parts of a message to those of a model call. */
export function toModelParts(parts: readonly ContextPart[]): ModelPart[] {
  return parts.map((part): ModelPart => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (part.type === 'data') return { type: 'text', text: toDataText(part) };
    const detail = part.type === 'image' && part.detail !== undefined ? { detail: part.detail } : {};
    return { type: 'file', file: part.file, from: part.type, ...detail };
  });
}

/** Returns a data part as a model gets it. */
export function toDataText({ data, name }: { data: JsonValue; name?: string | undefined }): string {
  return `${name === undefined ? 'Data' : `Data "${name}"`} as JSON:\n${JSON.stringify(data)}`;
}

/** Maps the files of a tool result to parts of a model call. */
export function toResultParts(files: readonly PartFile[]): ModelPart[] {
  return files.map((file) => ({ type: 'file', file, from: 'result' }));
}

/** Returns the parts of a tool result that are stored files, as a model call reads them; null when it has none. */
export function pickFileParts(content: JsonValue | undefined): JsonValue {
  const parts = isJsonObject(content) ? content['content'] : null;
  const files = Array.isArray(parts) ? parts.filter((part) => toResultFile(part).length > 0) : [];
  return files.length === 0 ? null : files;
}

/** Returns the facts of the files in what `pickFileParts` has returned. */
export function listResultFiles(parts: JsonValue | undefined): PartFile[] {
  return Array.isArray(parts) ? parts.flatMap(toResultFile) : [];
}

function toResultFile(part: JsonValue): PartFile[] {
  if (!isJsonObject(part)) return [];
  const body = typeof part['blobId'] === 'string' ? part : part['resource'];
  const { blobId: id, mimeType, bytes, uri } = isJsonObject(body) ? body : {};
  if (typeof id !== 'string') return [];
  return [
    {
      id,
      name: typeof uri === 'string' ? (uri.split('/').at(-1) ?? null) : null,
      mediaType: typeof mimeType === 'string' ? mimeType.toLowerCase() : 'application/octet-stream',
      size: typeof bytes === 'number' ? bytes : 0,
      ...{ pages: null, width: null, height: null },
    },
  ];
}

/** Returns a media type without its parameters: vendors know `audio/ogg`, not `audio/ogg; codecs=opus`. */
export function toPlainType(mediaType: string): string {
  return mediaType.replace(/\s*;.*$/s, '');
}

/** Returns the ability that a model needs to take a file as it is; null for files that are only ever shown as text. */
export function toNeededInput({ mediaType }: Pick<PartFile, 'mediaType'>): ModelInput | null {
  if (mediaType === 'application/pdf') return 'document';
  const [kind] = mediaType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : null;
}

/** Lists the files in the messages of a model call, oldest first. */
export function listCallFiles(messages: readonly { role: string; parts?: ModelPart[] }[]): ModelFilePart[] {
  return messages.flatMap(({ parts = [] }) => parts.filter((part) => part.type === 'file'));
}
