import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';
import { resultReaderFunction, type StoredResult } from '../../../domain/stored-result.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { toFieldError } from '../../functions/input-schema.ts';
import { failedResult, invalidArguments } from '../failed-result.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { findPlaces, takePage } from './result-page.ts';

const name = resultReaderFunction;

const input = z.strictObject({
  callId: z.string().min(1).max(100).describe('The id of the tool call, as the conversation names it'),
  offset: z.int().min(0).max(10_000_000).default(0).describe('The first character to read'),
  // A longer page would be cut itself, as every result that a model is given.
  limit: z.int().min(100).max(30_000).default(10_000).describe('The most characters of a page'),
  query: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A text to look for: the places that have it are listed, in place of a page'),
});

declare module '../tool-services.ts' {
  interface ToolServices {
    /** Finds the stored end of a call of the conversation that a turn belongs to; null when it has no such call. */
    findStoredResult: (asked: {
      workspaceId: string;
      turnId: string;
      callId: string;
    }) => Promise<StoredResult | null>;
  }
}

/** Reads the stored result of an earlier call of the same conversation, page by page. */
export const readToolResult = defineCoreFunction({
  name,
  description:
    'Reads the stored result of an earlier tool call of this conversation, of which you see only a part or a note that it ' +
    'was left out. Answers with a page of it; continue with "offset": nextOffset until that is null. With "query" it lists ' +
    'the places that have this text.',
  input,
  effect: 'read_only',
  run: (asked, { services, workspaceId, turnId }) =>
    readFound(asked, (callId) =>
      getToolService(services, 'findStoredResult')({ workspaceId, turnId, callId }),
    ),
});

type FindResult = (callId: string) => Promise<StoredResult | null>;

/** Answers a call of the function from the results that `find` finds by the ids of their calls. */
export async function answerResultReader(toolArguments: JsonObject, find: FindResult): Promise<ToolResult> {
  const parsed = input.safeParse(toolArguments);
  if (!parsed.success) return invalidArguments(name, parsed.error.issues.map(toFieldError));
  return readFound(parsed.data, find);
}

async function readFound(asked: z.output<typeof input>, find: FindResult): Promise<ToolResult> {
  const found = await find(asked.callId);
  return found ? readFrom(found, asked) : missing(asked);
}

function missing({ callId }: z.output<typeof input>): ToolResult {
  const message =
    `This conversation has no tool call ${callId}, or no longer: old results are removed after the time that ` +
    'the workspace keeps them.';
  return failedResult('NOT_FOUND', message);
}

function readFrom(found: StoredResult, asked: z.output<typeof input>): ToolResult {
  const { name: tool, status, text, isCut, error } = found;
  if (text === null) {
    const reason = error ? ` ${error.code}: ${error.message}` : '';
    return failedResult('NOT_FOUND', `The call of ${tool} is ${status} and has no result.${reason}`);
  }
  const { offset, limit, query } = asked;
  if (offset > 0 && offset >= text.length) {
    const message = `is beyond the end: the result has ${text.length} characters`;
    return invalidArguments(name, [{ field: 'offset', message }]);
  }
  const about = { tool, characters: text.length, ...(isCut && { isCut }) };
  if (query !== undefined) {
    return { status: 'succeeded', text: JSON.stringify({ ...about, ...findPlaces(text, query, offset) }) };
  }
  // The page stands as it is after one line of JSON: as a string of JSON it would be longer, and harder to read.
  const { text: page, ...position } = takePage(text, { offset, limit });
  return { status: 'succeeded', text: `${JSON.stringify({ ...about, ...position })}\n${page}` };
}
