import type { ToolModelMessage, UserContent } from 'ai';
import type { ModelMessage } from '../../domain/model.ts';
import { toPlainType, type ModelFilePart, type ModelPart } from '../../domain/model-part.ts';
import { hasText } from '../../domain/text.ts';
import { toFileLabel } from '../../domain/part-text.ts';
import type { ProviderOptions } from './model-vendor.ts';

type UserParts = Exclude<UserContent, string>;
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type ToolResultPart = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** How a vendor is sent files. */
export interface PartOptions {
  /** The name of the vendor's options in the AI SDK. */
  optionsName: string;
  /** Whether results of tool calls may have files. */
  takesInResults: boolean;
}

/** Stands for texts that vendors refuse, where they want one. */
const emptyMessage = '[The message is empty.]';
const emptyResult = '[The result is empty.]';

/** Maps a user's message: a text, or parts in their order. Parts of white space only are left out. */
export function toUserContent(
  { text, parts }: Extract<ModelMessage, { role: 'user' }>,
  options: PartOptions,
): UserContent {
  if (!parts) return hasText(text) ? text : emptyMessage;
  const shown = parts
    .map((part) => toUserPart(part, options))
    .filter((part) => part.type !== 'text' || hasText(part.text));
  return shown.length > 0 ? shown : emptyMessage;
}

function toUserPart(part: ModelPart, options: PartOptions): UserParts[number] {
  if (part.type === 'text') return part;
  const { shown } = part;
  if (shown?.as === 'bytes') return toFilePart(part, shown.base64, options);
  return { type: 'text', text: shown?.text ?? '[A file is not shown.]' };
}

function toFilePart({ file, detail }: ModelFilePart, base64: string, { optionsName }: PartOptions) {
  const providerOptions: ProviderOptions | undefined =
    detail === undefined ? undefined : { [optionsName]: { imageDetail: detail } };
  return {
    type: 'file' as const,
    data: { type: 'data' as const, data: base64 },
    mediaType: toPlainType(file?.mediaType ?? 'application/octet-stream'),
    ...(file?.name != null && { filename: file.name }),
    ...(providerOptions && { providerOptions }),
  };
}

/** A result of a tool call, and the files of it that a user's message after the results has to show. */
interface SdkResult {
  output: ToolResultPart['output'];
  shownAfter: UserParts;
}

/** Maps the result of a tool call. Files that the model does not get as they are stay descriptions in its text. */
export function toResultOutput(message: ToolMessage, options: PartOptions): SdkResult {
  const { text, isError, name, parts = [] } = message;
  const isEmpty = !hasText(text);
  const plain: SdkResult['output'] = {
    type: isError ? 'error-text' : 'text',
    value: isEmpty ? emptyResult : text,
  };
  const files = parts.flatMap((part) =>
    part.type === 'file' && part.shown?.as === 'bytes' ? [{ part, base64: part.shown.base64 }] : [],
  );
  if (files.length === 0) return { output: plain, shownAfter: [] };
  const mapped = files.map(({ part, base64 }) => toFilePart(part, base64, options));
  if (options.takesInResults) {
    const value = [...(isEmpty ? [] : [{ type: 'text' as const, text }]), ...mapped];
    return { output: { type: 'content', value }, shownAfter: [] };
  }
  const shownAfter = files.flatMap(({ part }, index): UserParts => {
    const kind = part.file?.mediaType.startsWith('image/') ? 'image' : 'file';
    const label = part.file?.name == null ? '' : ` ${toFileLabel(part.file)}`;
    const intro = `[The ${kind}${label} of the result of ${name}, call ${message.modelCallId}:]`;
    const file = mapped[index];
    return [{ type: 'text', text: intro }, ...(file ? [file] : [])];
  });
  return { output: plain, shownAfter };
}
