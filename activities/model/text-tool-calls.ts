import type { Logger } from 'pino';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { ModelAnswer, RequestedToolCall } from '../../src/domain/model.ts';
import type { ToolUse, ToolUseForm } from '../../src/engines/models/calls-in-text/tool-use-block.ts';
import { parseToolUse, type MalformedToolUse } from '../../src/engines/models/calls-in-text/tool-use-text.ts';
import { fromTextInput } from '../../src/engines/models/to-vendor-call.ts';
import { createUniqueCallIds } from '../../src/engines/models/unique-call-ids.ts';
import { toolboxOf } from '../../src/engines/tools/toolbox.ts';

/** A tool call that a model asked for, with an error when it is already known that the call cannot run. */
export type AskedToolCall = RequestedToolCall & { refusal?: ErrorInfo };

/** A model's answer with the tool calls that it wrote as text. */
export type ReadAnswer = Omit<ModelAnswer, 'toolCalls'> & { toolCalls: AskedToolCall[] };

/** The number of unreadable blocks of one answer that are reported to the model. */
const mostMalformed = 8;

/** Whether blocks such as `<tool_use>` in the text of an agent's model are tool calls. */
export function readsToolCallsInText({
  model,
  toolCallsInText,
}: Pick<AgentVersion, 'model' | 'toolCallsInText'>): boolean {
  return toolCallsInText ?? model.startsWith('compatible/');
}

/**
 * Turns the blocks that {@link parseToolUse} finds in an answer without native tool calls into tool calls, and removes
 * them from its text. Every finish reason is accepted except that the answer was cut off.
 */
export function readToolCallsInText(answer: ModelAnswer, version: AgentVersion, logger: Logger): ReadAnswer {
  const isCut = answer.finishReason === 'length' || answer.finishReason === 'content_filter';
  if (!readsToolCallsInText(version) || isCut || answer.toolCalls.length > 0) return answer;
  const { text, calls, malformed } = parseToolUse(answer.text);
  if (calls.length === 0 && malformed.length === 0) return answer;
  for (const { form, reason } of malformed) {
    logger.error(
      { model: version.model, form, reason },
      'a tool call in the text of an answer cannot be read',
    );
  }
  const uniqueId = createUniqueCallIds();
  const { reasoning, usage, answeredBy } = answer;
  // `providerContent` is left out, because it holds the text with the blocks.
  return {
    reasoning,
    usage,
    answeredBy,
    text,
    finishReason: 'tool_calls',
    toolCalls: [
      ...calls.map((call) => toRequested(call, version, uniqueId)),
      ...malformed.slice(0, mostMalformed).map((block) => toRefused(block, uniqueId)),
    ],
  };
}

function toRequested(
  call: ToolUse,
  version: AgentVersion,
  uniqueId: (wanted: string) => string,
): RequestedToolCall {
  const modelCallId = uniqueId(call.id !== null && /^[\w-]{1,64}$/.test(call.id) ? call.id : 'call');
  return { modelCallId, ...resolve(call, version) };
}

/** Finds the agent's tool for a block: by server and name, by name alone, or through the gateway. */
function resolve(call: ToolUse, version: AgentVersion): Pick<RequestedToolCall, 'name' | 'arguments'> {
  const { tools } = toolboxOf(version);
  const direct = tools.filter(({ isGateway }) => !isGateway);
  const id = call.server === '' ? call.tool : `${call.server}:${call.tool}`;
  const found =
    direct.find((one) => one.id === id) ??
    direct.find(({ tool: { name } }) => name === call.tool || name === id);
  if (found) {
    const { name, schema } = found.tool;
    return { name, arguments: fromTextInput({ model: version.model, schema }, call.arguments) };
  }
  const gateway = tools.find(({ isGateway }) => isGateway)?.tool;
  if (!gateway) return { name: id, arguments: call.arguments };
  // A block may also name the gateway itself.
  if (call.tool === gateway.name) return { name: gateway.name, arguments: call.arguments };
  if (call.server === '') return { name: id, arguments: call.arguments };
  const { server, tool: name, arguments: args } = call;
  return { name: gateway.name, arguments: { action: 'call', server, tool: name, args } };
}

/** The instruction that the model gets when a call in its text cannot be read, by the form that it tried. */
const advice: Record<ToolUseForm, string> = {
  tool_use:
    'Write <tool_use><server>…</server><tool>…</tool><arguments>{…}</arguments></tool_use> with a JSON object as ' +
    'arguments.',
  tool_call: 'Write <tool_call>{"name": "…", "arguments": {…}}</tool_call> with a JSON object.',
  tool_code:
    'Write a block ```tool_code with calls such as name(argument="text", number=3), and close it with ```.',
};

function toRefused(
  { form, block, reason }: MalformedToolUse,
  uniqueId: (wanted: string) => string,
): AskedToolCall {
  return {
    modelCallId: uniqueId('call'),
    name: form,
    arguments: null,
    invalidArguments: block,
    refusal: {
      code: 'INVALID_TOOL_ARGUMENTS',
      message: `A ${form === 'tool_code' ? 'tool_code' : `<${form}>`} block cannot be read: ${reason}. ${advice[form]}`,
    },
  };
}
