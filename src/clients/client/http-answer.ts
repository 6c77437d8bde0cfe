import { HoldfastApiError } from './holdfast-api-error.ts';

/**
 * Reads the `data` of an answer; undefined when it has no body.
 * @throws HoldfastApiError `UNEXPECTED_RESPONSE` when it is no answer of the API
 */
export async function readData(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const body = parseObject(await response.text());
  if (body?.['success'] === true) return body['data'];
  throw toUnexpectedError(response);
}

/**
 * Reads an answer that has no envelope.
 * @throws HoldfastApiError `UNEXPECTED_RESPONSE` when it is no JSON object
 */
export async function readJson(response: Response): Promise<unknown> {
  const body = parseObject(await response.text());
  if (body !== undefined) return body;
  throw toUnexpectedError(response);
}

/** Reads the bytes of a file, with its media type. */
export async function readBlob(response: Response): Promise<Blob> {
  return response.blob();
}

/** Reads the error from an answer that refuses a request. */
export async function readError(response: Response): Promise<HoldfastApiError> {
  const body = parseObject(await response.text().catch(() => ''));
  const error = body?.['error'];
  if (!isObject(error) || typeof error['code'] !== 'string') return toUnexpectedError(response);
  const message = typeof error['message'] === 'string' ? error['message'] : 'The API gave no message.';
  return new HoldfastApiError(error['code'] as HoldfastApiError['code'], message, {
    status: response.status,
    details: error['details'],
    retryAfterMs: readRetryAfterMs(response),
  });
}

function toUnexpectedError(response: Response): HoldfastApiError {
  return new HoldfastApiError(
    'UNEXPECTED_RESPONSE',
    `Expected an answer of the Holdfast API, found status ${response.status} with another body. Check that the URL is right.`,
    { status: response.status, retryAfterMs: readRetryAfterMs(response) },
  );
}

function readRetryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
