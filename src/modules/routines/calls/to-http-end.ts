import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { createRoutineError, toProblemJson } from '../../../domain/routine-error.ts';
import type { RoutineCallEnd } from '../routine-contract.ts';

/** The first line of a described answer: `HTTP 200 OK`. */
const statusLine = /^HTTP (\d{3})/;

/**
 * Turns the answer to an HTTP request into the output that the task asks for: its content, the whole response, or the
 * content in base 64. Other statuses than 2xx, and than 3xx with `redirect`, are errors of communication.
 */
export function toHttpEnd(text: string, { output, redirect, request }: JsonObject): RoutineCallEnd {
  const [head = '', ...rest] = text.split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const status = Number(statusLine.exec(first)?.[1] ?? 0);
  const body = rest.join('\n\n');
  if (status < 200 || status >= (redirect === true ? 400 : 300)) {
    const title = first.slice(0, 200);
    const detail = body.slice(0, 1_000);
    const error = createRoutineError('communication', detail, { title, ...(status === 0 ? {} : { status }) });
    return { problem: toProblemJson(error.problem) };
  }
  const headers = Object.fromEntries(lines.map(toHeader));
  const content = toContent(body, headers['content-type'] ?? '');
  if (output === 'raw') return { output: Buffer.from(body).toString('base64') };
  if (output !== 'response') return { output: content };
  return { output: { request: toSent(request), statusCode: status, headers, content } };
}

/** The request as it is in the ledger, where marks stand for secrets. */
function toSent(request: JsonValue | undefined): JsonObject {
  const { method = 'GET', url = null, headers = {} } = isJsonObject(request) ? request : {};
  return { method, uri: url, headers };
}

function toHeader(line: string): [string, string] {
  const [name = '', ...value] = line.split(': ');
  return [name, value.join(': ')];
}

function toContent(body: string, contentType: string): JsonValue {
  if (!/[/+]json\b/i.test(contentType)) return body;
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return body;
  }
}
