import type { ModelFilePart, ModelPart } from '../../../domain/model-part.ts';
import { toFileLabel } from '../../../domain/part-text.ts';

const maxQuoteLength = 200;

/** Describes the parts of a message, with the beginning of each text that was read from a file. */
export function describeModelParts(parts: readonly ModelPart[]): string {
  const count = parts.length === 1 ? '1 part' : `${parts.length} parts`;
  return [`I got ${count}:`, ...parts.map((part, index) => `${index + 1}. ${describePart(part)}`)].join('\n');
}

function describePart(part: ModelPart): string {
  return part.type === 'text' ? `a text: ${toQuote(part.text)}` : describeFile(part);
}

function describeFile({ file, shown }: ModelFilePart): string {
  if (!file) return 'a file that was deleted';
  const { mediaType, size, pages } = file;
  const length = pages === null ? `${size} bytes` : pages === 1 ? '1 page' : `${pages} pages`;
  const text = shown?.as === 'text' ? ` ${toQuote(shown.text)}` : '';
  return `the file ${toFileLabel(file)} (${mediaType}, ${length})${text}`;
}

function toQuote(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
}
