import type { CalledAgent, CallingTurn, NewChildTurn } from '../../../domain/child-turn.ts';
import { maxMessageCharacters } from '../../../domain/message-part.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { defaultLimits } from '../../../domain/limits.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { FailedResult } from '../../../domain/tool.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { toChildIds } from '../../../platform/lib/ids.ts';
import { toChildTimeMs, toTurnTimeoutMs } from '../../../contract/child-time.ts';
import { toTurnWorkflowId } from '../../../contract/submission.ts';
import type { BeginToolCallInput } from '../../../contract/turn-steps.ts';
import { failedResult } from '../failed-result.ts';
import type { BeginningCall, BegunCall, ChildCallDependencies, ClaimedCallOf } from './child-call.ts';

/** The least time that a turn can do anything in, in milliseconds. */
const leastTimeMs = 1_000;

/** Prepares the turn of another agent: stores it with its share of what the calling turn has left. */
export async function beginAgentCall(
  { call, input }: BeginningCall<'agent'>,
  { transact, notifier }: ChildCallDependencies,
): Promise<BegunCall> {
  const { agentId = '' } = call.tool.config;
  const message = toMessage(call.arguments ?? {});
  const prepared = await transact(call.workspace_id, async ({ childTurns }) => {
    const caller = await childTurns.findCallingTurn(call.turn_id);
    const agent = isUuid(agentId) ? await childTurns.findCalledAgent(agentId) : null;
    if (!caller) throw new HoldfastError('TURN_SETTLED', 'The turn is over.');
    const timeMs = toChildTimeMs(input.deadlineAt - Date.now(), call.tool.settings?.timeoutMs);
    const isKnown = call.child_turn_id !== null;
    const refusal = isKnown ? null : findRefusal({ call, caller, agent, agentId, message, timeMs });
    if (refusal || !agent) return refusal ?? toMissing(agentId);
    const start = await childTurns.createChildTurn(
      toChildTurn({ call, caller, agent, message, timeMs, input }),
    );
    if (!start) throw new HoldfastError('TURN_SETTLED', 'The tool call has ended.');
    return start;
  });
  if ('status' in prepared) return { end: prepared };
  notifier.events(prepared.conversationId);
  return { child: { type: 'agent', workflowId: toTurnWorkflowId(prepared.turnId), start: prepared } };
}

interface Refusable {
  call: ClaimedCallOf<'agent'>;
  caller: CallingTurn;
  agent: CalledAgent | null;
  agentId: string;
  message: string;
  timeMs: number;
}

/** The reason why the other agent is not called; null when it is called. */
function findRefusal({ call, caller, agent, agentId, message, timeMs }: Refusable): FailedResult | null {
  if (!agent || agent.deleted) return toMissing(agentId);
  const above = [...caller.lineage, caller.agentId];
  if (above.includes(agent.id)) {
    const reason = `${call.name} was not called: its agent is waiting for this answer already. Answer without it.`;
    return failedResult('AGENT_CYCLE', reason);
  }
  if (above.length > caller.maxAgentDepth) {
    const reason = `${call.name} was not called: agents may call each other ${caller.maxAgentDepth} deep only. Answer without it.`;
    return failedResult('AGENT_DEPTH_EXCEEDED', reason);
  }
  if (message === '' || message.length > maxMessageCharacters) {
    const expected = `expected 1 to ${maxMessageCharacters} characters, found ${message.length}`;
    const reason = `The message for ${call.name} has the wrong length. Correct it and call it again.`;
    return failedResult('INVALID_TOOL_ARGUMENTS', reason, [{ field: 'message', message: expected }]);
  }
  if (timeMs >= leastTimeMs) return null;
  return failedResult('TOOL_TIMED_OUT', `${call.name} was not called: the turn has too little time left.`);
}

function toMissing(agentId: string): FailedResult {
  return failedResult('TOOL_MISCONFIGURED', `There is no agent ${agentId} in this workspace.`);
}

interface ChildParts {
  call: ClaimedCallOf<'agent'>;
  caller: CallingTurn;
  agent: CalledAgent;
  message: string;
  timeMs: number;
  input: BeginToolCallInput;
}

function toChildTurn({ call, caller, agent, message, timeMs, input }: ChildParts): NewChildTurn {
  const own = { ...defaultLimits, ...agent.limits };
  return {
    ...toChildIds(call.key),
    parentTurnId: call.turn_id,
    toolCallId: call.id,
    agent,
    title: toOneLine(`Called by ${caller.agentName}`),
    message,
    timeoutMs: Math.min(own.turnTimeoutMs, toTurnTimeoutMs(timeMs)),
    maxIterations: Math.max(1, Math.min(own.maxIterations, caller.maxIterations - input.iteration)),
    maxTokens: Math.min(own.maxTokens, caller.tokensLeft),
    inheritsRules: call.tool.config.inheritRules === true,
  };
}

/** The text of the only argument `message`; other arguments as JSON, which the agent has to read. */
function toMessage(input: JsonObject): string {
  const [only, ...others] = Object.entries(input);
  const isMessage = others.length === 0 && only?.[0] === 'message' && typeof only[1] === 'string';
  return isMessage ? (only[1] as string) : JSON.stringify(input);
}
