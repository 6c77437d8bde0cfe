import { createHash } from 'node:crypto';
import { newId } from '../../src/platform/lib/ids.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { findInfinity } from '../../src/domain/storable.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import { createCanaryDetector, type CanaryDetector } from '../../src/engines/rules/canary-detector.ts';
import { isCanaryInJson, redactJsonObject } from '../../src/engines/rules/canary-json.ts';
import { canaryViolation } from '../../src/engines/rules/find-violation.ts';
import { resolveCall, toolboxOf } from '../../src/engines/tools/toolbox.ts';
import type { StepTools } from '../step-dependencies.ts';
import type { AskedToolCall } from '../model/text-tool-calls.ts';

interface CallSource {
  input: CallModelInput;
  version: AgentVersion;
  tools: Pick<StepTools, 'effectOf'>;
}

/**
 * Returns the tool calls of an answer as rows of the ledger. A call that holds a canary token is stored with the token
 * replaced everywhere, so that the token goes no further, and will not run.
 */
export function toNewToolCalls(asked: AskedToolCall[], source: CallSource): NewToolCall[] {
  const detector = createCanaryDetector(source.version.rules.canaryTokens);
  return asked.map((call, index) =>
    detector && holdsCanary(detector, call)
      ? toNewToolCall(redact(detector, call, index), index, source)
      : toNewToolCall(call, index, source),
  );
}

function holdsCanary(detector: CanaryDetector, call: AskedToolCall): boolean {
  const texts = [call.name, call.modelCallId, call.invalidArguments ?? ''];
  return texts.some((text) => detector.isIn(text)) || isCanaryInJson(detector, call.arguments);
}

function redact(detector: CanaryDetector, call: AskedToolCall, index: number): AskedToolCall {
  const { invalidArguments } = call;
  return {
    name: detector.redact(call.name),
    modelCallId: detector.isIn(call.modelCallId) ? `call_${index}` : call.modelCallId,
    arguments: call.arguments && redactJsonObject(detector, call.arguments),
    ...(invalidArguments === undefined ? {} : { invalidArguments: detector.redact(invalidArguments) }),
    refusal: { code: 'TOOL_BLOCKED', message: canaryViolation.message },
  };
}

function toNewToolCall(call: AskedToolCall, index: number, source: CallSource): NewToolCall {
  const { input, version, tools } = source;
  const tool = version.tools.find(({ name }) => name === call.name) ?? null;
  return {
    ...toResolvedCall(tool, call.arguments, { version, tools }),
    id: newId(),
    index,
    key: toToolCallKey(input, index),
    modelCallId: call.modelCallId,
    name: call.name,
    // The error is cut after tokens were replaced, so that no part of a token is left.
    invalidArguments:
      call.invalidArguments === undefined ? null : toKept(call.invalidArguments, call.refusal),
    argumentsHash: sha256(JSON.stringify(call.arguments ?? call.invalidArguments ?? null)),
    refusal: call.refusal ?? refuseInfinity(call),
  };
}

/** Returns the columns of a call that follow from its tool and its arguments; null for a tool that the agent does not have. */
export function toResolvedCall(
  tool: Tool | null,
  toolArguments: JsonObject | null,
  { version, tools }: Omit<CallSource, 'input'>,
): Pick<NewToolCall, 'tool' | 'arguments' | 'effect' | 'connector' | 'target'> {
  const call = { tool, arguments: toolArguments };
  if (!tool) return { ...call, effect: 'read_only', connector: null, target: null };
  const input = toolArguments ?? {};
  const { connector, target } = resolveCall(tool, input, toolboxOf(version));
  return { ...call, effect: tools.effectOf(tool, input), connector, target };
}

/** Arguments are stored as JSON, which would hold null in place of an infinite number. */
function refuseInfinity({ name, arguments: input }: AskedToolCall): ErrorInfo | null {
  const problem = findInfinity(input);
  if (!problem) return null;
  const message = `The arguments of ${name} are not valid: ${problem.field}: ${problem.message}.`;
  return { code: 'INVALID_TOOL_ARGUMENTS', message, details: [problem] };
}

/** Stores only a preview of the arguments of a refused call, since the call will not run. */
function toKept(invalidArguments: string, refusal: ErrorInfo | undefined): string {
  return refusal ? toPreview(invalidArguments) : invalidArguments;
}

/** The key of a call: the same for every attempt, and for every run of the turn. */
export function toToolCallKey(
  step: Pick<CallModelInput, 'workspaceId' | 'turnId' | 'iteration'>,
  index: number,
): string {
  return sha256([step.workspaceId, step.turnId, step.iteration, index].join('\n'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
