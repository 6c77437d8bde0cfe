import type { AgentVersion } from '../../src/domain/agent.ts';
import { HoldfastError, type ErrorInfo, type FieldError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { RuleViolation } from '../../src/domain/rules.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import {
  canaryViolation,
  findArgumentViolation,
  findLimitViolation,
  findToolViolation,
  listCallLimits,
} from '../../src/rules/find-violation.ts';
import type { RuledCall } from '../../src/rules/ruled-call.ts';
import { toCountedName, toRuledCall } from '../../src/tools/to-ruled-call.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toBlockedEnd, toFailedEnd } from './tool-call-ends.ts';

/**
 * Decides whether a claimed call may run, before anything is sent: the tool must exist, the arguments must fit its
 * schema, and the agent's rules must allow it. Counts the call and returns null when it may run, otherwise its end.
 */
export async function prepareCall(
  dependencies: ActivityDependencies,
  call: ClaimedToolCall,
  input: JsonObject | null = call.arguments,
): Promise<ToolCallEnd | null> {
  if (call.error) return toRefusedEnd(call, call.error);
  const version = await dependencies.getVersion(call.workspace_id, call.agent_version_id);
  const { tool } = call;
  const ruled = tool
    ? toRuledCall(tool, input ?? {}, version)
    : { name: call.name, listed: [call.name], toolIds: [], subjects: [] };
  const forbidden = findToolViolation(version.rules, ruled, call.quarantined);
  if (forbidden) return toBlockedEnd(call, forbidden);
  const refusal = findRefusal(call, input);
  if (refusal || !tool || !input) return refusal && toFailedEnd(call, refusal);
  return checkCall(dependencies, { call, tool, input, version, ruled });
}

/** The end of a call that was refused when the model's answer was read: it held a token, or had no valid arguments. */
function toRefusedEnd(call: ClaimedToolCall, refusal: ErrorInfo): ToolCallEnd {
  return refusal.code === 'TOOL_BLOCKED' ? toBlockedEnd(call, canaryViolation) : toFailedEnd(call, refusal);
}

interface CallCheck {
  call: ClaimedToolCall;
  tool: Tool;
  input: JsonObject;
  version: AgentVersion;
  ruled: RuledCall;
}

async function checkCall(dependencies: ActivityDependencies, check: CallCheck): Promise<ToolCallEnd | null> {
  const { call, tool, input, version, ruled } = check;
  const checks = dependencies.tools.checksOf(call.workspace_id);
  const breach = await findArgumentViolation(version.rules, ruled, checks);
  if (breach?.rule === 'canary') return toBlockedEnd(call, breach);
  const wrong = findWrongArguments(tool, await checks.checkSchema(tool.schema, input));
  if (wrong) return toFailedEnd(call, wrong);
  const violation = breach ?? (await countCall(dependencies, check));
  return violation && toBlockedEnd(call, violation);
}

/** Returns the error that the model is told about a call that cannot run; null when it can. */
function findRefusal({ tool, name }: ClaimedToolCall, input: JsonObject | null): ErrorInfo | null {
  if (!tool)
    return {
      code: 'UNKNOWN_TOOL',
      message: `There is no tool ${name}. Use one of the tools you were given.`,
    };
  if (tool.settings?.enabled === false)
    return { code: 'TOOL_DISABLED', message: `The tool ${name} is switched off.` };
  if (input) return null;
  const message = `The arguments of ${name} are not a JSON object. Send one.`;
  return { code: 'INVALID_TOOL_ARGUMENTS', message };
}

function findWrongArguments({ name }: Tool, fields: FieldError[]): ErrorInfo | null {
  if (fields.length === 0) return null;
  return {
    code: 'INVALID_TOOL_ARGUMENTS',
    message: `The arguments of ${name} do not fit its schema. Correct them and call it again.`,
    details: fields,
  };
}

/** Thrown to roll back the count of a call that exceeds a limit. */
class TooManyCalls extends HoldfastError {
  readonly violation: RuleViolation;

  constructor(violation: RuleViolation) {
    super('TOOL_BLOCKED', violation.message);
    this.violation = violation;
  }
}

async function countCall(
  { transact }: ActivityDependencies,
  { call, version, ruled }: CallCheck,
): Promise<RuleViolation | null> {
  const limits = new Map(listCallLimits(version.rules, ruled));
  if (limits.size === 0) return null;
  const counted = [...limits].map(([name, policy]) =>
    toCountedName(name, policy.maxCallsPerDay !== undefined, version),
  );
  try {
    await transact(call.workspace_id, async ({ toolCalls }) => {
      const counts = await toolCalls.count({ id: call.id, agentId: call.agent_id, limits: counted });
      for (const { key, ...count } of counts) {
        const violation = findLimitViolation(key, limits.get(key) ?? {}, count);
        if (violation) throw new TooManyCalls(violation);
      }
    });
    return null;
  } catch (error) {
    if (error instanceof TooManyCalls) return error.violation;
    throw error;
  }
}
