import { HoldfastError } from '../../../domain/errors.ts';

/** The error for a document that cannot be read; the message explains the reason to the person who uploaded it. */
export function unreadable(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError('DOCUMENT_UNREADABLE', message, cause === undefined ? {} : { cause });
}
