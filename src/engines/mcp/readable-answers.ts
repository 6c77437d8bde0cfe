import { specTypeSchemas, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** The field of `_meta` that says why a definition cannot be used. */
const problemMeta = 'holdfast/problem';

/**
 * Reads the answers of a server part by part. The SDK refuses a whole list of tools, or the whole result of a call that took
 * effect, for one part that is not valid. A definition that cannot be used is replaced by its name and the reason, see
 * `findProblem`; a part of a result by a text that says so. Fields that are null are missing: many servers write both alike.
 * Must be called after the client has connected, since that sets `onmessage`.
 */
export function makeAnswersReadable(transport: Transport, { isModern }: { isModern: boolean }): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => deliver?.(toReadableMessage(message, isModern), extra);
}

/** Returns why the definition of a tool cannot be used; null when it can. */
export function findProblem({ _meta: meta }: { _meta?: Record<string, unknown> | undefined }): string | null {
  const problem = meta?.[problemMeta];
  return typeof problem === 'string' ? problem : null;
}

function toReadableMessage<Message extends JSONRPCMessage>(message: Message, isModern: boolean): Message {
  if (!('result' in message)) return message;
  const result = withoutEmpty(message.result as JsonObject);
  const { tools, content } = result;
  if (Array.isArray(tools)) {
    const read = tools.map((tool, index) => toReadableTool(tool, index, isModern));
    // Lists are kept and read again here, so the times for which a server allows that do not matter.
    return { ...message, result: { ...result, tools: read, ttlMs: 0, cacheScope: 'private' } };
  }
  return Array.isArray(content)
    ? { ...message, result: { ...result, content: content.map(toReadableBlock) } }
    : message;
}

/** Keeps the fields that Holdfast reads: a title or an icon that is not valid does not matter. */
function toReadableTool(raw: JsonValue, index: number, isModern: boolean): JsonObject {
  if (!isJsonObject(raw)) return toUnusable(`tools[${index}]`, 'it is no object');
  const { name, description, inputSchema, outputSchema, annotations, execution } = raw;
  const tool = withoutEmpty({ name, description, inputSchema, annotations, execution });
  const problem = findIssue('Tool', tool);
  if (problem !== null) return toUnusable(typeof name === 'string' ? name : `tools[${index}]`, problem);
  // Results are checked against the output schema after the call took effect: a tool can be called without it.
  return isOutputSchema(outputSchema, isModern) ? { ...tool, outputSchema } : tool;
}

function isOutputSchema(schema: JsonValue | undefined, isModern: boolean): schema is JsonObject {
  if (!isJsonObject(schema)) return false;
  // Older revisions take schemas of objects alone, with the same rules as for the input.
  return isModern || findIssue('Tool', { name: 'output', inputSchema: schema }) === null;
}

function toUnusable(name: string, problem: string): JsonObject {
  return { name, inputSchema: { type: 'object' }, _meta: { [problemMeta]: problem } };
}

function toReadableBlock(raw: JsonValue): JsonValue {
  if (!isJsonObject(raw)) return toLeftOut('it is no object');
  const block = withoutEmpty(raw);
  const { resource } = block;
  const whole = isJsonObject(resource) ? { ...block, resource: withoutEmpty(resource) } : block;
  if (findIssue('ContentBlock', whole) === null) return whole;
  const plain = withoutEmpty({ ...whole, annotations: undefined, _meta: undefined });
  if (findIssue('ContentBlock', plain) === null) return plain;
  return toLeftOut(`it is no valid part of type ${JSON.stringify(raw.type ?? null).slice(0, 100)}`);
}

function toLeftOut(reason: string): JsonObject {
  return { type: 'text', text: `[A part of the result is left out: ${reason}.]` };
}

function findIssue(type: 'Tool' | 'ContentBlock', value: object): string | null {
  const { issues } = specTypeSchemas[type]['~standard'].validate(value);
  const [issue] = issues ?? [];
  if (!issue) return null;
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return `${path}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

/** Leaves out the fields that are null or undefined. */
function withoutEmpty(value: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      part === null || part === undefined ? [] : [[name, part]],
    ),
  );
}
