import type { ErrorInfo } from '../../../domain/errors.ts';
import { toPreview } from '../../../domain/text.ts';

/** The maximum number of characters of a message or a result that the record of a run keeps. */
const keptCharacters = 500;

/** Returns the part of a message that the record of a run keeps. */
export function toKeptMessage(message: string): string {
  return toPreview(message, keptCharacters);
}

/** Returns the part of a step's text that the record of a run keeps. */
export function toKeptStep(text: string): string {
  return toPreview(text, 4 * keptCharacters);
}

/** Returns the part of a call's result, or of its error, that the record of a run keeps. */
export function toKeptResult({
  result,
  error,
}: {
  result?: string | null;
  error?: ErrorInfo | null;
}): string {
  return toPreview(result ?? (error ? `${error.code}: ${error.message}` : ''), keptCharacters);
}
