import { toChildTimeMs, toTurnTimeoutMs } from '../../workflows/contract/child-time.ts';
import { maxMessageCharacters } from '../../src/domain/conversation.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toOneLine } from '../../src/domain/text.ts';
import { isUuid } from '../../src/domain/uuid.ts';
import { toTurnWorkflowId } from '../../workflows/contract/submission.ts';
import type { BeginToolCallInput, ToolCallChild } from '../../workflows/contract/turn-steps.ts';
import { toChildIds } from '../../src/lib/ids.ts';
import type { CalledAgent, CallingTurn, NewChildTurn } from '../../src/db/turns/child-turn-repository.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toFailedEnd } from './tool-call-ends.ts';

/** The least time that a turn can do anything in, in milliseconds. */
const leastTimeMs = 1_000;

/** A call that was claimed: with a child that is to be started, or with the way in which it has ended. */
export type Begun = { child: ToolCallChild } | { end: ToolCallEnd };

/** Prepares the turn of another agent: stores it with its share of what the calling turn has left. */
export async function prepareAgentCall(
  { transact, notifier }: ActivityDependencies,
  call: ClaimedToolCall,
  input: BeginToolCallInput,
): Promise<Begun> {
  const agentId = call.tool?.config.agentId ?? '';
  const message = toMessage(call.arguments ?? {});
  const prepared = await transact(call.workspace_id, async ({ childTurns }) => {
    const caller = await childTurns.findCallingTurn(call.turn_id);
    const agent = isUuid(agentId) ? await childTurns.findCalledAgent(agentId) : null;
    if (!caller) throw new HoldfastError('TURN_SETTLED', 'The turn is over.');
    const timeMs = toChildTimeMs(input.deadlineAt - Date.now(), call.tool?.settings?.timeoutMs);
    const isKnown = call.child_turn_id !== null;
    const refusal = isKnown ? null : findRefusal({ call, caller, agent, agentId, message, timeMs });
    if (refusal || !agent) return refusal ?? toMissing(agentId);
    const start = await childTurns.createChildTurn(
      toChildTurn({ call, caller, agent, message, timeMs, input }),
    );
    if (!start) throw new HoldfastError('TURN_SETTLED', 'The tool call has ended.');
    return start;
  });
  if ('code' in prepared) return { end: toFailedEnd(call, prepared) };
  notifier.events(prepared.conversationId);
  return { child: { type: 'agent', workflowId: toTurnWorkflowId(prepared.turnId), start: prepared } };
}

interface Refusable {
  call: ClaimedToolCall;
  caller: CallingTurn;
  agent: CalledAgent | null;
  agentId: string;
  message: string;
  timeMs: number;
}

/** Why another agent is not called, if it is not. */
function findRefusal({ call, caller, agent, agentId, message, timeMs }: Refusable): ErrorInfo | null {
  if (!agent || agent.deleted) return toMissing(agentId);
  const above = [...caller.lineage, caller.agentId];
  if (above.includes(agent.id)) {
    const message = `${call.name} was not called: its agent is waiting for this answer already. Answer without it.`;
    return { code: 'AGENT_CYCLE', message };
  }
  if (above.length > caller.maxAgentDepth) {
    const message = `${call.name} was not called: agents may call each other ${caller.maxAgentDepth} deep only. Answer without it.`;
    return { code: 'AGENT_DEPTH_EXCEEDED', message };
  }
  if (message === '' || message.length > maxMessageCharacters) {
    const expected = `expected 1 to ${maxMessageCharacters} characters, found ${message.length}`;
    return {
      code: 'INVALID_TOOL_ARGUMENTS',
      message: `The message for ${call.name} has the wrong length. Correct it and call it again.`,
      details: [{ field: 'message', message: expected }],
    };
  }
  if (timeMs >= leastTimeMs) return null;
  return {
    code: 'TOOL_TIMED_OUT',
    message: `${call.name} was not called: the turn has too little time left.`,
  };
}

function toMissing(agentId: string): ErrorInfo {
  return { code: 'TOOL_MISCONFIGURED', message: `There is no agent ${agentId} in this workspace.` };
}

interface ChildParts {
  call: ClaimedToolCall;
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
  };
}

/** The one argument `message` as it is; arguments of another form as JSON, for an agent that is told to read it. */
function toMessage(input: JsonObject): string {
  const [only, ...others] = Object.entries(input);
  const isMessage = others.length === 0 && only?.[0] === 'message' && typeof only[1] === 'string';
  return isMessage ? (only[1] as string) : JSON.stringify(input);
}
