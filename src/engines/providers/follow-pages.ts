import { HoldfastError } from '../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { FailedResult, ToolResult } from '../../domain/tool.ts';
import type { RequestInput } from './build-request.ts';
import type { Operation, Paging, RequestTemplate } from './define-operation.ts';
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
 * Reads a list page by page until it has `max_items`, and says how to continue when there is more. A page is never cut, so
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
  let total: JsonValue | undefined;
  for (let page = 1; ; page += 1) {
    const outcome = await readPage(call, paging, { input, place, size });
    if (outcome.status === 'failed')
      return page === 1 ? outcome : toList(call, { items, place, total, failure: outcome });
    const found = readPath(outcome.answer.body, paging.items);
    if (!Array.isArray(found)) return toSuccess(call.found.operation, outcome.answer, call.connection.redact);
    const kept = found.map((item) => keepPaths(item, keep));
    items.push(...kept);
    total = paging.total === undefined ? undefined : readPath(outcome.answer.body, paging.total);
    length += JSON.stringify(kept).length;
    place = findNext(paging, { answer: outcome.answer, found, input, place, size });
    const isEnough = items.length >= most || length >= mostCharacters || page >= mostPages;
    if (place === undefined || isEnough || maxWaitOf(call.time) < leastTimeMs)
      return toList(call, { items, place, total });
  }
}

/** @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a text that is no place of this list */
function checkPlace(paging: Paging, from: Place): Place {
  if (isPlace(paging, from)) return from;
  const message = 'expected continue_from of the answer before';
  throw new HoldfastError('INVALID_TOOL_ARGUMENTS', `The argument continue_from: ${message}.`, {
    details: [{ field: 'continue_from', message }],
  });
}

function isPlace({ style }: Paging, text: string): boolean {
  if (style === 'page' || style === 'offset') return /^\d{1,9}(\/\d{1,9})?$/.test(text);
  // As a segment of a path, `..` would lead to another endpoint.
  return text !== '.' && text !== '..' && text.isWellFormed();
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
  if (paging.style === 'cursor' && paging.then !== undefined && place !== undefined) {
    const { headers = {} } = call.found.operation;
    return sendCall(call, toRequest(call, { [paging.field]: place }, { request: paging.then, headers }));
  }
  const sized = paging.size && size !== undefined ? setField(input, paging.size.field, size) : input;
  const first = toRequest(call, setPlace(paging, sized, place));
  if (paging.style !== 'link' || place === undefined) return sendCall(call, first);
  // Only the query of a link is used: a path could lead to another endpoint of the vendor. It is encoded again, since
  // a name in braces would stand for a secret.
  const url = `${first.url.split('?', 1)[0] ?? ''}?${new URLSearchParams(place).toString()}`;
  return sendCall(call, { ...first, url });
}

function sizeOf({ size }: Paging, input: RequestInput): number | undefined {
  const own = size && readPath(input as JsonObject, size.field);
  return typeof own === 'number' ? own : undefined;
}

/** Adds the field that asks for the page at a place. */
function setPlace(paging: Paging, input: RequestInput, place: Place | undefined): RequestInput {
  if (place === undefined || paging.style === 'link') return input;
  return setField(input, paging.field, paging.style === 'cursor' ? place : Number(place.split('/', 1)[0]));
}

/** Sets a field of the input, or one of an object in it, which keeps its other fields. */
function setField(input: RequestInput, path: string, value: string | number): RequestInput {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...input, [name]: value };
  const inner = isJsonObject(input[name]) ? input[name] : {};
  return { ...input, [name]: setField(inner, rest.join('.'), value) as JsonObject };
}

interface FoundPage extends PageRequest {
  answer: ReadAnswer;
  found: JsonValue[];
}

/** Returns the place of the next page; undefined at the end. */
function findNext(paging: Paging, page: FoundPage): Place | undefined {
  const { answer, found, size } = page;
  const more = readMore(paging, answer.body);
  if (more === false) return undefined;
  if (paging.style === 'cursor') return toPlace(paging, readPath(answer.body, paging.next));
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
  const now = Number(place?.split('/', 1)[0] ?? readPath(input as JsonObject, paging.field) ?? first);
  if (paging.style === 'offset') return String(now + found.length);
  return size === undefined ? String(now + 1) : `${now + 1}/${size}`;
}

/** Whether the answer says that there are more pages; undefined when it says nothing about it. */
function readMore({ more, last }: Paging, body: JsonValue): boolean | undefined {
  const found = more === undefined ? undefined : readPath(body, more);
  if (typeof found === 'boolean') return found;
  const isLast = last === undefined ? undefined : readPath(body, last);
  return typeof isLast === 'boolean' ? !isLast : undefined;
}

function toPlace({ then }: { then?: RequestTemplate }, value: JsonValue | undefined): Place | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  // Salesforce answers the path of the next page. Its last segment is put into the path of the record.
  const place = then?.includes('{') === true ? (text.split('/').at(-1) ?? '') : text;
  return place === '' ? undefined : place;
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
  /** How many items the vendor has; undefined when it does not say. */
  total: JsonValue | undefined;
  /** The error that ended the reading before the list did. */
  failure?: FailedResult;
}

/** The marker stands before the items, so that the model sees it also when the result is cut. */
function toList({ connection }: OperationCall, { items, place, total, failure }: ReadList): ToolResult {
  const counted = { count: items.length, ...(total === undefined ? {} : { total }) };
  const marker: JsonObject =
    place === undefined
      ? { ...counted, more: false }
      : {
          ...counted,
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

/** Returns the address of `rel="next"` in a `Link` header (RFC 8288); undefined when there is none. */
function readLinkHeader(header: string | null): string | undefined {
  const links = header?.matchAll(/<([^>]*)>([^<]*)/g) ?? [];
  for (const [, url, parameters = ''] of links)
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?=[\s";,]|$)/i.test(parameters)) return url;
  return undefined;
}
