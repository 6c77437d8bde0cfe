import { HoldfastError } from '../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { FailedResult, ToolResult } from '../domain/tool.ts';
import type { RequestInput } from './build-request.ts';
import type { Operation, Paging } from './define-operation.ts';
import { readLinkHeader } from './link-header.ts';
import { keepPaths, readPath } from './read-answer.ts';
import { maxWaitOf, type ReadAnswer } from './send-request.ts';
import { sendCall, toRequest, type OperationCall } from './send-call.ts';
import { toSuccess } from './vendor-result.ts';

const mostPages = 10;
/** A model gets at most 32 KiB of a result; no further page is read after this many characters of items. */
const mostCharacters = 28_000;
const defaultItems = 100;
/** The least time for another page, in milliseconds. */
const leastTimeMs = 3_000;

/** The place at which the next page begins: a cursor, a number, or a query. */
type Place = string;

/**
 * Reads a list page by page until it has `max_items`, and says how to go on when there is more. A page is never cut, so
 * the list can be longer. An answer without the list comes back as it is.
 */
export async function followPages(
  call: OperationCall,
  paging: Paging,
  given: RequestInput,
): Promise<ToolResult> {
  const { max_items: wanted, continue_from: from, ...input } = given;
  const most = typeof wanted === 'number' ? wanted : (sizeOf(paging, input) ?? defaultItems);
  const { keep } = call.found.operation;
  const items: JsonValue[] = [];
  let place = typeof from === 'string' ? checkPlace(paging, from) : undefined;
  const size = findSize(paging, { input, place, most });
  let length = 0;
  for (let page = 1; ; page += 1) {
    const outcome = await readPage(call, paging, { input, place, size });
    if (outcome.status === 'failed')
      return page === 1 ? outcome : toList(call, { items, place, failure: outcome });
    const found = readPath(outcome.answer.body, paging.items);
    if (!Array.isArray(found)) return toSuccess(call.found.operation, outcome.answer, call.connection.redact);
    const kept = found.map((item) => keepPaths(item, keep));
    items.push(...kept);
    length += JSON.stringify(kept).length;
    place = findNext(paging, { answer: outcome.answer, found, input, place, size });
    const isEnough = items.length >= most || length >= mostCharacters || page >= mostPages;
    if (place === undefined || isEnough || maxWaitOf(call.time) < leastTimeMs)
      return toList(call, { items, place });
  }
}

/** @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a text that is no place of this list */
function checkPlace({ style }: Paging, from: Place): Place {
  const isNumber = style === 'page' || style === 'offset';
  if (!isNumber || /^\d{1,9}(\/\d{1,9})?$/.test(from)) return from;
  const message = 'expected continue_from of the answer before';
  throw new HoldfastError('INVALID_TOOL_ARGUMENTS', `The argument continue_from: ${message}.`, {
    details: [{ field: 'continue_from', message }],
  });
}

interface PageRequest {
  input: RequestInput;
  place: Place | undefined;
  /** How many items a page is asked to have; undefined when the vendor decides. */
  size: number | undefined;
}

/** A page number counts pages of one size, so its place has the size too: `3/50`. */
function findSize(
  paging: Paging,
  { input, place, most }: Omit<PageRequest, 'size'> & { most: number },
): number | undefined {
  if (!paging.size) return undefined;
  const { max, min = 1 } = paging.size;
  const before = paging.style === 'page' ? Number(place?.split('/')[1]) : NaN;
  return before > 0 ? Math.min(before, max) : (sizeOf(paging, input) ?? Math.max(min, Math.min(max, most)));
}

async function readPage(call: OperationCall, paging: Paging, { input, place, size }: PageRequest) {
  const sized = paging.size && size !== undefined ? { [paging.size.field]: size } : {};
  const first = toRequest(call, { ...input, ...sized, ...toFields(paging, place) });
  if (paging.style !== 'link' || place === undefined) return sendCall(call, first);
  // Only the query of a link is used: a path could lead to another endpoint of the vendor. It is encoded again, since
  // a name in braces would stand for a secret.
  const url = `${first.url.split('?', 1)[0] ?? ''}?${new URLSearchParams(place).toString()}`;
  return sendCall(call, { ...first, url });
}

function sizeOf({ size }: Paging, input: RequestInput): number | undefined {
  const own = size && input[size.field];
  return typeof own === 'number' ? own : undefined;
}

/** The fields that ask for the page at a place. */
function toFields(paging: Paging, place: Place | undefined): JsonObject {
  if (place === undefined || paging.style === 'link') return {};
  return { [paging.field]: paging.style === 'cursor' ? place : Number(place.split('/', 1)[0]) };
}

interface FoundPage extends PageRequest {
  answer: ReadAnswer;
  found: JsonValue[];
}

/** Returns the place of the next page; undefined at the end. */
function findNext(paging: Paging, page: FoundPage): Place | undefined {
  const { answer, found, size } = page;
  const more = paging.more === undefined ? undefined : readPath(answer.body, paging.more);
  if (more === false) return undefined;
  if (paging.style === 'cursor') return toPlace(readPath(answer.body, paging.next));
  if (paging.style === 'link') return toQuery(paging, answer);
  const isShort = more !== true && size !== undefined && found.length < size;
  if (found.length === 0 || isShort) return undefined;
  return toNextNumber(paging, page);
}

function toNextNumber(
  paging: Paging & { style: 'page' | 'offset' },
  { found, input, place, size }: FoundPage,
): Place {
  const first = paging.style === 'page' ? (paging.first ?? 1) : 0;
  const now = Number(place?.split('/', 1)[0] ?? input[paging.field] ?? first);
  if (paging.style === 'offset') return String(now + found.length);
  return size === undefined ? String(now + 1) : `${now + 1}/${size}`;
}

function toPlace(value: JsonValue | undefined): Place | undefined {
  const isPlace = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isPlace ? String(value) : undefined;
}

function toQuery(paging: Paging & { style: 'link' }, { headers, body }: ReadAnswer): Place | undefined {
  const link = paging.next === undefined ? readLinkHeader(headers.get('link')) : readPath(body, paging.next);
  if (typeof link !== 'string') return undefined;
  const { search } = new URL(link, 'https://vendor.invalid');
  return search.length > 1 ? search.slice(1) : undefined;
}

interface ReadList {
  items: JsonValue[];
  place: Place | undefined;
  /** The error that ended the reading before the list did. */
  failure?: FailedResult;
}

/** The marker stands before the items, so that the model sees it also when the result is cut. */
function toList({ connection }: OperationCall, { items, place, failure }: ReadList): ToolResult {
  const marker: JsonObject =
    place === undefined
      ? { count: items.length, more: false }
      : {
          count: items.length,
          more: true,
          continue_from: place,
          note: `There are more items. Call again with the same arguments and continue_from to get them.`,
          ...(failure ? { stopped_by: failure.error.message } : {}),
        };
  return { status: 'succeeded', text: connection.redact(JSON.stringify({ ...marker, items })) };
}

/** Whether the input of an operation has the fields of paging. */
export function isPaged(operation: Operation): operation is Operation & { paging: Paging } {
  return isJsonObject(operation.paging);
}
