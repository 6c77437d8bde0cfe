import { z } from 'zod';
import { isOfEveryKey, rights, type Right } from '../../domain/rights.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { errorStatuses } from './error-statuses.ts';
import { lineMediaType } from './line-bodies.ts';
import { errorAnswerSchema, toAnswerSchema } from './schemas.ts';

interface DescribedRoute {
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  right: Right | null;
  params?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  answers: Partial<Record<number, z.ZodType>>;
  errors?: ErrorCode[];
  streams?: boolean;
  sendsLines?: boolean;
  sendsText?: readonly string[];
  sendsBytes?: boolean;
  takesFile?: boolean;
  takesOnlyFile?: boolean;
  takesLines?: boolean;
}

/** Maps a route to the schema for fastify, with its inputs and all possible answers. */
export function toRouteSchema(route: DescribedRoute) {
  const { operationId, summary, tag, right, params, query, headers, body } = route;
  return {
    operationId,
    summary,
    tags: [tag],
    description: toDescription(route),
    security: right === null ? [] : [{ apiKey: [] }, { session: [] }],
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    ...(route.takesLines ? { 'x-takes-lines': true } : {}),
    ...(route.takesFile || route.takesOnlyFile ? { 'x-takes-file': true } : {}),
    response: { ...toSuccess(route), ...toErrorAnswers(route) },
  };
}

function toDescription({ description, right }: DescribedRoute): string {
  const need = right === null ? 'Needs no API key.' : `Needs ${nameScopes(right)}.`;
  return description === undefined ? need : `${description} ${need}`;
}

function nameScopes(right: Right): string {
  if (isOfEveryKey(right)) return 'an API key with any scope';
  const { scopes, ...rule } = rights[right];
  const names = scopes.map((scope) => `\`${scope}\``);
  if ('any' in rule) return `the scope ${names.join(' or ')}`;
  return `the ${names.length > 1 ? 'scopes' : 'scope'} ${names.join(' and ')}`;
}

function toSuccess(route: DescribedRoute): Record<string, unknown> {
  if (route.sendsLines) return toLines();
  if (route.sendsText) return toTexts(route.sendsText);
  return route.sendsBytes ? toFile() : toAnswers(route);
}

/** Describes lines for the documentation only: they are sent without a check. */
function toLines() {
  const schema = z.string();
  return { 200: { description: 'Lines of JSON', content: { [lineMediaType]: { schema } } } };
}

/** Describes streams of text for the documentation only: they are sent without a check. */
function toTexts(mediaTypes: readonly string[]) {
  const schema = z.string();
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
  return { 200: { description: 'A text', content } };
}

function toAnswers({ answers, streams }: DescribedRoute) {
  const entries = Object.entries(answers).map(([status, data]) => {
    if (data === undefined || status === '204')
      return [status, z.undefined().describe('No more events: the turn is settled')];
    const schema = toAnswerSchema(data);
    return [status, streams && status === '200' ? withEventStream(schema) : toContent('Done', schema)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Describes a file for the documentation only: bytes are sent without a check. */
function toFile() {
  const schema = z.string().meta({ format: 'binary' });
  return {
    200: { description: 'The bytes of the file', content: { 'application/octet-stream': { schema } } },
  };
}

function toContent(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } };
}

function withEventStream(schema: z.ZodType) {
  const frames = z.string().describe('Frames of `id`, `event` and `data`, each with one event as JSON');
  return {
    description: 'A stream of server-sent events, or with `Accept: application/json` a page of stored events',
    content: { 'text/event-stream': { schema: frames }, 'application/json': { schema } },
  };
}

function toErrorAnswers(route: DescribedRoute) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of listErrorCodes(route)) {
    const status = errorStatuses[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, codes]) => [
    status,
    toContent(codes.join(', '), errorAnswerSchema),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function listErrorCodes(route: DescribedRoute): Set<ErrorCode> {
  const { right, params, body, errors = [] } = route;
  // Every endpoint answers `INVALID_INPUT` to a request that is not valid HTTP.
  const codes: ErrorCode[] = [...errors, 'INVALID_INPUT', 'INTERNAL', 'SERVICE_UNAVAILABLE'];
  if (params) codes.push('NOT_FOUND');
  if (body || route.takesOnlyFile) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.takesLines) codes.push('UNSUPPORTED_MEDIA_TYPE');
  if (right) codes.push('UNAUTHORIZED', 'FORBIDDEN');
  return new Set(codes);
}
