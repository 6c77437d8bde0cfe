import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { findUnstorable, toStorableJson } from '../../domain/storable.ts';
import type { RequestLocation, WebhookRule } from '../../domain/webhook-rule.ts';
import { checkTime, readHeader, type HookRequest, type Refusal } from './verify-delivery.ts';

/** A delivery whose signature is right, and whose payload can be stored. */
export interface ReadDelivery {
  payload: JsonValue;
  /** The id that the sender gave it; null when it has none. */
  id: string | null;
  /** The type of its event, cut to what can be a type; null when it has none. */
  event: string | null;
  isFromBot: boolean;
  /** The answer to a request that checks the URL; null for any other. */
  challenge: string | null;
}

const longestId = 200;
const longestEvent = 200;

/** Reads a verified delivery by the rule of its sender. Checks a timestamp that is in the payload. */
export function readDelivery(rule: WebhookRule, request: HookRequest): ReadDelivery | { refusal: Refusal } {
  const payload = parsePayload(request);
  if (payload === undefined) return { refusal: 'its payload cannot be read' };
  const { timestamp, deliveryId, event: parts = [], bot, challenge } = rule;
  if (timestamp && 'field' in timestamp.at) {
    const refusal = checkTime(timestamp, textAt(payload, timestamp.at.field) ?? '', request.receivedAt);
    if (refusal) return { refusal };
  }
  const find = (location: RequestLocation) =>
    'header' in location ? readHeader(request, location.header) : textAt(payload, location.field);
  const id = deliveryId ? find(deliveryId) : null;
  const event = parts.map(find).filter((part) => part !== null && part !== '');
  const asks = challenge && textAt(payload, challenge.type) === challenge.is;
  return {
    payload,
    id: id === '' || id === null || id.length > longestId ? null : id,
    event: event.length === 0 ? null : toType(event.join('.')),
    isFromBot: bot !== undefined && isBot(bot, textAt(payload, bot.field)),
    challenge: asks ? textAt(payload, challenge.answer) : null,
  };
}

function isBot({ is }: NonNullable<WebhookRule['bot']>, found: string | null): boolean {
  return is === undefined ? found !== null : found === is;
}

/** The type goes into messages to models, so it has no spaces, quotes or line breaks. */
function toType(text: string): string {
  return text.replaceAll(/[^\w.:/-]/g, '_').slice(0, longestEvent);
}

/** The text or number in a field; null for anything else. */
function textAt(payload: JsonValue, path: string): string | null {
  let value: JsonValue | undefined = payload;
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(name) ? value[Number(name)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

/** Returns the payload in a form that can be stored; undefined when there is none. */
function parsePayload(request: HookRequest): JsonValue | undefined {
  const type = readHeader(request, 'content-type') ?? '';
  const text = request.body.toString('utf8');
  try {
    const parsed = /^application\/x-www-form-urlencoded\b/i.test(type) ? parseForm(text) : parseJson(text);
    const payload = parseJson(toStorableJson(parsed));
    return findUnstorable(payload, 'payload') ? undefined : payload;
  } catch (error) {
    // No JSON, or nested deeper than the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseJson(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

/** GitHub and Slack can send their JSON in the field `payload` of a form. */
function parseForm(text: string): JsonValue {
  const fields = [...new URLSearchParams(text)];
  const [only] = fields;
  return fields.length === 1 && only?.[0] === 'payload' ? parseJson(only[1]) : Object.fromEntries(fields);
}
