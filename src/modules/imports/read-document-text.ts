import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { mostDocumentCharacters, type ImportRequest } from './provider-import.ts';
import { describeNetworkError } from '../../platform/egress/describe-network-error.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';

const timeoutMs = 15_000;

/**
 * Returns the text of the document of an import: that of the request, or of the answer at its address.
 * @throws HoldfastError `INVALID_INPUT` without a document, for one that cannot be read, and for one that is too long
 */
export async function readDocumentText(
  { document, url }: Pick<ImportRequest, 'document' | 'url'>,
  { fetch, signal }: { fetch: GuardedFetch; signal: AbortSignal },
): Promise<string> {
  if ((document === undefined) === (url === undefined))
    throw createInvalidInput([{ field: 'document', message: 'expected either document or url' }]);
  const text =
    url === undefined
      ? typeof document === 'string'
        ? document
        : JSON.stringify(document)
      : await readUrl(fetch, url, signal);
  if (text.length <= mostDocumentCharacters) return text;
  const message = `expected at most ${mostDocumentCharacters} characters, found ${text.length}`;
  throw createInvalidInput([{ field: 'document', message }]);
}

async function readUrl(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<string> {
  const headers = { accept: 'application/json, application/yaml, */*;q=0.5' };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { headers, signal: limit });
    const text = await response.text();
    if (response.ok) return text;
    throw unreadable(`its server answered with HTTP ${response.status}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HoldfastError && error.code === 'INVALID_INPUT') throw error;
    if (error instanceof HoldfastError) throw unreadable(error.message);
    if (error instanceof DOMException) throw unreadable(`no answer within ${timeoutMs} ms`);
    if (error instanceof TypeError) throw unreadable(describeNetworkError(error) ?? error.message);
    throw error;
  }
}

function unreadable(reason: string): HoldfastError {
  return createInvalidInput([{ field: 'url', message: `cannot be read: ${reason}` }]);
}
