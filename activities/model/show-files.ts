import type { PartFile } from '../../src/domain/message-part.ts';
import { listCallFiles, type ModelFilePart, type ShownFile } from '../../src/domain/model-part.ts';
import type { ModelCall, ModelMessage } from '../../src/domain/model.ts';
import { toFileLabel, toShownText } from '../../src/domain/part-text.ts';
import { findWindowStart } from '../../src/domain/window-start.ts';
import { deleted, findTakenInputs, planFiles, pushedOut } from '../../src/engines/models/plan-files.ts';
import type { ModelPort } from '../step-dependencies.ts';

/** The most characters of the texts of files in one model call; the oldest ones are left out beyond them. */
const mostTextCharacters = 400_000;

/**
 * Reads the files in the messages of a call, as far as its model takes them: bytes where it takes their kind, otherwise
 * their text, or a note that says why they are not shown. A call without files is returned as it is.
 * @throws HoldfastError `SERVICE_UNAVAILABLE` when files cannot be read for the moment
 */
export async function showFiles(
  { partFiles }: Pick<ModelPort, 'partFiles'>,
  call: ModelCall,
  workspaceId: string,
): Promise<ModelCall> {
  const named = listCallFiles(call.messages);
  if (named.length === 0) return call;
  const { model, takes, signal } = call;
  const ids = new Set(named.flatMap(({ file }) => file?.id ?? []));
  const found = await partFiles.list(workspaceId, [...ids]);
  const parts = named.map((part) => ({ ...part, file: (part.file && found.get(part.file.id)) ?? null }));
  const reasons = planFiles(parts, { model, takes: findTakenInputs(model, takes) });
  const read = { workspaceId, signal };
  const shown = await Promise.all(
    parts.map((part, index) => showFile(partFiles, { part, reason: reasons[index] ?? null, ...read })),
  );
  const limited = leaveOutTexts(parts, shown);
  const byPart = new Map(
    named.map((part, index) => {
      const shownPart = limited[index];
      return [part, { ...part, ...parts[index], ...(shownPart && { shown: shownPart }) }];
    }),
  );
  return { ...call, messages: call.messages.map((message) => withFiles(message, byPart)) };
}

interface FileToShow {
  part: ModelFilePart;
  /** Why the model does not get it as it is; null when it does. */
  reason: string | null;
  workspaceId: string;
  signal: AbortSignal;
}

/** Undefined for a file of a tool result that the model does not take: the text of the result describes it. */
async function showFile(
  files: ModelPort['partFiles'],
  { part, reason, ...read }: FileToShow,
): Promise<ShownFile | undefined> {
  const { file, from } = part;
  if (file && reason === null) {
    const base64 = await files.readBase64({ ...read, file });
    if (base64 !== null) return { as: 'bytes', base64 };
  }
  if (from === 'result') return undefined;
  if (!file) return { as: 'text', text: '[A file of this message was deleted.]' };
  const text = reason === null ? null : await files.readText({ ...read, file });
  if (text) return { as: 'text', text: toShownText(file, text) };
  return { as: 'text', text: toNote(file, reason ?? deleted) };
}

function toNote(file: PartFile, reason: string): string {
  const kind = file.mediaType.startsWith('image/') ? 'image' : 'file';
  return `[The ${kind} ${toFileLabel(file)} is not shown: ${reason}.]`;
}

/** Replaces the texts of the oldest files by notes where all together are too long. */
function leaveOutTexts(
  parts: readonly ModelFilePart[],
  shown: readonly (ShownFile | undefined)[],
): (ShownFile | undefined)[] {
  const texts = shown.map((one) => (one?.as === 'text' ? one.text.length : 0));
  const start = findWindowStart(texts, { most: mostTextCharacters, mostItems: Infinity });
  return shown.map((one, index) => {
    const file = parts[index]?.file;
    if (index >= start || one?.as !== 'text' || !file) return one;
    return { as: 'text', text: toNote(file, pushedOut) };
  });
}

function withFiles(message: ModelMessage, shown: ReadonlyMap<ModelFilePart, ModelFilePart>): ModelMessage {
  if (!('parts' in message)) return message;
  const parts = message.parts.map((part) => (part.type === 'file' ? (shown.get(part) ?? part) : part));
  return { ...message, parts };
}
