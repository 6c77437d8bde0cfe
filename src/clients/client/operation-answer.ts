import { readBlob, readData, readJson } from './http-answer.ts';
import type { Operation } from './operation-request.ts';

/** Finds how to read what the function of an operation returns from a successful answer. */
export function toReader({
  answer = 'value',
  field = '',
}: Operation): (response: Response) => Promise<unknown> {
  if (answer === 'blob') return readBlob;
  if (answer === 'json') return readJson;
  return async (response) => {
    const data = ((await readData(response)) ?? {}) as Record<string, unknown>;
    if (answer === 'value') return data[field];
    if (answer === 'page') return { items: data[field] ?? [], nextCursor: data['nextCursor'] ?? null };
    return data;
  };
}
