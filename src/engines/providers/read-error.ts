import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { parseRetryAfter } from '../../platform/egress/parse-retry-after.ts';
import type { Provider, ThrottleRules, VendorAnswer, WaitUnit } from './define-provider.ts';
import { listAt, readPath, textAt } from './read-answer.ts';

/** How a provider says that something went wrong. */
export type ErrorReader = Pick<Provider, 'title' | 'errors' | 'throttle'>;

/** An answer with the headers that say how long to wait. */
interface ThrottledAnswer extends VendorAnswer {
  headers: Headers;
}

type Condition = NonNullable<ThrottleRules['when']>;

function holds(condition: Condition | undefined, body: JsonValue): boolean {
  if (!condition) return false;
  const found = readPath(body, condition.at);
  if (found === undefined) return false;
  return condition.oneOf ? condition.oneOf.includes(found) : found !== null;
}

/** Whether the answer is an error by its status, by the rules of the provider, or by those of GraphQL. */
export function isError(
  { errors }: Pick<ErrorReader, 'errors'>,
  { status, body }: VendorAnswer,
  { isGraphql = false } = {},
): boolean {
  if (status >= 400 || holds(errors.when, body)) return true;
  return isGraphql && listAt(body, 'errors').length > 0;
}

/** Returns the vendor's message of an answer that is an error; null when it has none. */
export function readMessage(
  { errors }: Pick<ErrorReader, 'errors'>,
  { body }: Pick<VendorAnswer, 'body'>,
): string | null {
  const paths = [...errors.message, 'errors.0.message'];
  const message = paths.map((path) => toMessage(readPath(body, path))).find((text) => text !== '') ?? '';
  const details = (errors.details ?? []).flatMap((path) => toList(readPath(body, path)).map(describe));
  const more = [...new Set(details)].filter((text) => text !== '' && text !== message).join('; ');
  return [message, more].filter((text) => text !== '').join(': ') || null;
}

function toMessage(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** An object of messages by field, as Jira and HubSpot write it, is a list of `field: message`. */
function toList(value: JsonValue | undefined): JsonValue[] {
  if (isJsonObject(value)) return Object.entries(value).map(([name, one]) => `${name}: ${describe(one)}`);
  return value === undefined || value === null ? [] : [value].flat();
}

function describe(error: JsonValue): string {
  if (typeof error === 'string') return error;
  if (Array.isArray(error)) return error.map(describe).filter(Boolean).join(', ');
  const text = textAt(error, 'message') ?? textAt(error, 'detail') ?? textAt(error, 'description');
  const parts = [textAt(error, 'field'), textAt(error, 'code')].filter((part) => part !== undefined);
  return text ?? parts.join(' ');
}

/** Returns whether an answer leaves the outcome open: 408 and 5xx do not say how far the request got. */
export function isUncertain(
  { errors }: Pick<ErrorReader, 'errors'>,
  { status, body }: VendorAnswer,
): boolean {
  return status === 408 || (status >= 500 && status !== 501) || holds(errors.uncertain, body);
}

/**
 * Returns whether the vendor's rate limit refused a request. GitHub answers 403 with `retry-after`, or with
 * `x-ratelimit-remaining: 0`.
 */
export function isThrottled(
  { throttle }: Pick<ErrorReader, 'throttle'>,
  { status, headers, body }: ThrottledAnswer,
): boolean {
  if (status === 429 || holds(throttle?.when, body)) return true;
  return status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0');
}

/** Returns how long the vendor asks to wait, in milliseconds and at most a day; undefined when it does not say. */
export function readWait(
  { throttle }: Pick<ErrorReader, 'throttle'>,
  { headers, body }: Pick<ThrottledAnswer, 'headers' | 'body'>,
  now = Date.now(),
): number | undefined {
  const standard = parseRetryAfter(Object.fromEntries(headers), now);
  const waits = (throttle?.wait ?? []).map((place) => {
    const found = 'header' in place ? headers.get(place.header) : readPath(body, place.body);
    if (found === null || found === undefined || found === '') return undefined;
    const value = place.unit === 'date' ? Date.parse(typeof found === 'string' ? found : '') : Number(found);
    return Number.isFinite(value) && value >= 0 ? toMs(place.unit, value, now) : undefined;
  });
  const asked = waits.find((wait) => wait !== undefined);
  // The vendor's own form is finer: Discord rounds `Retry-After` to whole seconds.
  const chosen = asked ?? standard;
  return chosen === undefined ? undefined : Math.min(chosen, 86_400_000);
}

function toMs(unit: WaitUnit, value: number, now: number): number {
  if (unit === 'milliseconds') return Math.ceil(value);
  if (unit === 'seconds') return Math.ceil(value * 1000);
  return Math.max(0, Math.ceil((unit === 'epoch' ? value * 1000 : value) - now));
}
