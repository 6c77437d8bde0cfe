import { HoldfastError, type ErrorInfo, type FieldError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { RuleViolation, ToolPolicy } from '../../src/domain/rules.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { CountedLimit } from '../../src/modules/turns/calls/tool-call-counts.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import {
  canaryViolation,
  findArgumentViolation,
  findLimitViolation,
  findToolViolation,
  listCallLimits,
  listCallPolicies,
  listPolicyConditions,
} from '../../src/engines/rules/find-violation.ts';
import { listConditions, type ApprovalCondition } from '../../src/engines/rules/approval-condition.ts';
import { toCountedName } from '../../src/engines/tools/toolbox.ts';
import type { ToolCallRepository } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { RulePort, StepTools } from '../step-dependencies.ts';
import { readRulings, type Ruling } from './read-rulings.ts';
import { toBlockedEnd, toFailedEnd } from './tool-call-ends.ts';

/** The dependencies of the decision whether a call may run. Calls are counted wherever `transact` keeps them. */
export interface PrepareDependencies extends RulePort {
  tools: Pick<StepTools, 'checksOf'>;
  transact: <Result>(
    workspaceId: string,
    run: (repositories: { toolCalls: Pick<ToolCallRepository, 'lockCounts' | 'count'> }) => Promise<Result>,
  ) => Promise<Result>;
}

/** A call that may run, with the policies that hold for it. */
export interface AllowedCall {
  tool: Tool;
  input: JsonObject;
  policies: ToolPolicy[];
  /** Every `approvalWhen` of the tool and of the policies. */
  conditions: ApprovalCondition[];
}

/**
 * Decides whether a claimed call may run, before anything is sent: the tool must exist, the arguments must fit its
 * schema, and the agent's rules must allow it. Counts the call when it may run, and returns its end otherwise.
 */
export async function prepareCall(
  dependencies: PrepareDependencies,
  call: ClaimedToolCall,
  given = call.arguments,
): Promise<{ end: ToolCallEnd } | AllowedCall> {
  if (call.error) return { end: toRefusedEnd(call, call.error) };
  const version = await dependencies.getVersion(call.workspace_id, call.agent_version_id);
  const rulings = await readRulings(dependencies, { call, version, tool: call.tool, input: given ?? {} });
  const forbidden = await findFirst(rulings, ({ rules, ruled }) =>
    findToolViolation(rules, ruled, call.quarantined),
  );
  if (forbidden) return { end: toBlockedEnd(call, forbidden) };
  const found = findRefusal(call, given);
  if ('code' in found) return { end: toFailedEnd(call, found) };
  const { tool, input } = found;
  const checks = dependencies.tools.checksOf(call.workspace_id);
  const breach = await findFirst(rulings, ({ rules, ruled }) => findArgumentViolation(rules, ruled, checks));
  if (breach?.rule === 'canary') return { end: toBlockedEnd(call, breach) };
  const wrong = findWrongArguments(tool, await checks.checkSchema(tool.schema, input));
  if (wrong) return { end: toFailedEnd(call, wrong) };
  const violation = breach ?? (await countCall(dependencies, call, rulings));
  if (violation) return { end: toBlockedEnd(call, violation) };
  const conditions = rulings.flatMap(({ rules, ruled, settings }) => [
    ...listPolicyConditions(rules, ruled),
    ...listConditions(settings, input),
  ]);
  return {
    ...found,
    policies: rulings.flatMap(({ rules, ruled, settings = {} }) => [
      ...listCallPolicies(rules, ruled),
      settings,
    ]),
    conditions: [...listConditions(tool.settings, input), ...conditions],
  };
}

/** The end of a call that was refused when the model's answer was read: it held a token, or had no valid arguments. */
function toRefusedEnd(call: ClaimedToolCall, refusal: ErrorInfo): ToolCallEnd {
  return refusal.code === 'TOOL_BLOCKED' ? toBlockedEnd(call, canaryViolation) : toFailedEnd(call, refusal);
}

/** The first violation that one of the rulings finds. */
async function findFirst(
  rulings: Ruling[],
  find: (ruling: Ruling) => RuleViolation | null | Promise<RuleViolation | null>,
): Promise<RuleViolation | null> {
  for (const ruling of rulings) {
    const violation = await find(ruling);
    if (violation) return violation;
  }
  return null;
}

/** Returns the error that the model gets for a call that cannot run, or the tool and its input. */
function findRefusal(
  { tool, name }: ClaimedToolCall,
  input: JsonObject | null,
): ErrorInfo | Pick<AllowedCall, 'tool' | 'input'> {
  if (!tool)
    return {
      code: 'UNKNOWN_TOOL',
      message: `There is no tool ${name}. Use one of the tools you were given.`,
    };
  if (tool.settings?.enabled === false)
    return { code: 'TOOL_DISABLED', message: `The tool ${name} is switched off.` };
  if (input) return { tool, input };
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

/** Counts the call for its own turn and for those above, and checks their limits. */
async function countCall(
  { transact }: PrepareDependencies,
  call: ClaimedToolCall,
  rulings: [Ruling, ...Ruling[]],
): Promise<RuleViolation | null> {
  const limited = rulings.flatMap((ruling) =>
    listCallLimits(ruling.rules, ruling.ruled).map(([key, policy]) => ({ key, policy, ruling })),
  );
  if (limited.length === 0) return null;
  const limits = limited.map(({ key, policy, ruling }) => toCountedLimit(key, policy, ruling));
  try {
    await transact(call.workspace_id, async ({ toolCalls }) => {
      // A separate statement takes the locks first, so that the count sees all that was committed meanwhile.
      const [, counts] = await Promise.all([
        toolCalls.lockCounts(listCountedTurns(rulings)),
        toolCalls.count({ id: call.id, limits }),
      ]);
      for (const { turnId, key, ...count } of counts) {
        // Two versions of one agent may limit the calls of one turn.
        for (const of of limited.filter((one) => one.key === key && one.ruling.turnId === turnId)) {
          const violation = findLimitViolation(key, of.policy, count);
          if (violation) throw new TooManyCalls(violation);
        }
      }
    });
    return null;
  } catch (error) {
    if (error instanceof TooManyCalls) return error.violation;
    throw error;
  }
}

function toCountedLimit(
  key: string,
  policy: ToolPolicy,
  { turnId, agentId, box, ruled }: Ruling,
): CountedLimit {
  const aliases =
    ruled.subjects.at(-1)?.names.includes(key) && ruled.subjects.length > 1 ? [] : ruled.aliases;
  const counted = toCountedName(key, policy.maxCallsPerDay !== undefined, { tools: box.tools, aliases });
  return { ...counted, turnId, agentId };
}

/** The turns in which a call is counted, outermost first: calls that lock them in one order never wait for each other. */
function listCountedTurns([own, ...above]: [Ruling, ...Ruling[]]): string[] {
  return [...above, own].map(({ turnId }) => turnId);
}
