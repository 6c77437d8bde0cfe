import { HoldfastError } from '../domain/errors.ts';

/** A document that can not be read; the sentence says why, for the person who uploaded it. */
export function unreadable(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError('DOCUMENT_UNREADABLE', message, cause === undefined ? {} : { cause });
}
