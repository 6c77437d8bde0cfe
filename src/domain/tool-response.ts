import { z } from 'zod';
import { creditsSchema } from './tool.ts';
import { toolCallSchema, type ToolCall } from './turn.ts';

/**
 * The codes of failed tool calls: the tool refused the call (`TOOL_EXECUTION_FAILED`), running it broke, so that it may have
 * taken effect (`TOOL_RUNNER_EXCEPTION`), or it needs the state of a conversation that has none. The error of the call itself
 * has the details.
 */
const responseCodes = [
  'TOOL_EXECUTION_FAILED',
  'TOOL_RUNNER_EXCEPTION',
  'CONVERSATION_STATE_NOT_FOUND',
] as const;

/** The end of a tool call in the form that is the same for all tools. */
export const toolResponseSchema = z.object({
  isError: z.boolean(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  /** A whole number of credits as decimal text. */
  creditsUsed: creditsSchema,
  /** Null for a call that did its work. */
  error: z
    .object({ code: z.enum(responseCodes), message: z.string(), creditsUsed: creditsSchema })
    .nullable(),
});
export type ToolResponse = z.infer<typeof toolResponseSchema>;

/** A tool call with its response, which is null while it has not ended. */
export const toolCallDetailsSchema = toolCallSchema.extend({ response: toolResponseSchema.nullable() });
export type ToolCallDetails = z.infer<typeof toolCallDetailsSchema>;

/** The codes of calls that broke, so that the tool's own answer is unknown. */
const brokenCodes: ReadonlySet<string> = new Set([
  ...['TOOL_RUNNER_EXCEPTION', 'TOOL_OUTCOME_UNKNOWN', 'TOOL_TIMED_OUT', 'TOOL_UNREACHABLE'],
  ...['TOOL_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'INTERNAL'],
]);

type EndedCall = Pick<ToolCall, 'name' | 'status' | 'result' | 'error'>;

/** The response of a tool call; null while it has not ended. */
export function toToolResponse(call: EndedCall, creditsUsed: string): ToolResponse | null {
  if (call.status === 'requested' || call.status === 'started') return null;
  if (!call.error) return { isError: false, content: [toText(call.result ?? '')], creditsUsed, error: null };
  const { code } = call.error;
  const message = toMessage(call.name, call.error);
  const error = { code: toResponseCode(code), message, creditsUsed };
  return { isError: true, content: [toText(message)], creditsUsed, error };
}

/** The message about a call that broke, with the name of its tool. */
export function toExceptionMessage(name: string, message: string): string {
  return `Exception for tool "${name}": ${message}`;
}

function toText(text: string) {
  return { type: 'text' as const, text };
}

function toMessage(name: string, { code, message }: { code: string; message: string }): string {
  const isNamed = code === 'TOOL_RUNNER_EXCEPTION' || toResponseCode(code) !== 'TOOL_RUNNER_EXCEPTION';
  return isNamed ? message : toExceptionMessage(name, message);
}

function toResponseCode(code: string): (typeof responseCodes)[number] {
  if (code === 'CONVERSATION_STATE_NOT_FOUND') return code;
  return brokenCodes.has(code) ? 'TOOL_RUNNER_EXCEPTION' : 'TOOL_EXECUTION_FAILED';
}
