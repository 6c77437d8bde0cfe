import { HoldfastError, type ErrorInfo, type FieldError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { noRules, type RuleViolation, type ToolPolicy } from '../../src/domain/rules.ts';
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
import type { PolicyChecks } from '../../src/engines/rules/tool-policy.ts';
import { toCountedName } from '../../src/engines/tools/toolbox.ts';
import type { ToolCallRepository } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { StepDependencies, StepTools } from '../step-dependencies.ts';
import { readRulings, type Ruling } from './read-rulings.ts';
import { toBlockedEnd, toFailedEnd } from './tool-call-ends.ts';

/** The dependencies of the decision whether a call may run. Calls are counted wherever `transact` keeps them. */
export interface PrepareDependencies extends Pick<StepDependencies, 'getVersion' | 'pipelined'> {
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
  input = call.arguments,
): Promise<{ refused: ToolCallEnd } | { refused: null; allowed: AllowedCall }> {
  const prepared = await judgeCall(dependencies, call, input);
  return 'status' in prepared ? { refused: prepared } : { refused: null, allowed: prepared };
}

async function judgeCall(
  dependencies: PrepareDependencies,
  call: ClaimedToolCall,
  input: JsonObject | null,
): Promise<ToolCallEnd | AllowedCall> {
  if (call.error) return toRefusedEnd(call, call.error);
  const version = await dependencies.getVersion(call.workspace_id, call.agent_version_id);
  const { tool } = call;
  const rulings = await readRulings(dependencies, { call, version, tool, input: input ?? {} });
  const forbidden = await findFirst(rulings, ({ rules, ruled }) =>
    findToolViolation(rules, ruled, call.quarantined),
  );
  if (forbidden) return toBlockedEnd(call, forbidden);
  const found = findRefusal(call, input);
  if ('code' in found) return toFailedEnd(call, found);
  const end = await checkCall(dependencies, { call, ...found, rulings });
  return (
    end ?? {
      ...found,
      policies: listHeldPolicies(rulings),
      conditions: listHeldConditions(found, rulings),
    }
  );
}

function listHeldPolicies(rulings: Ruling[]): ToolPolicy[] {
  return rulings
    .filter(({ holds }) => holds)
    .flatMap(({ rules, ruled, settings }) => [
      ...listCallPolicies(rules, ruled),
      ...(settings ? [settings] : []),
    ]);
}

function listHeldConditions(
  { tool, input }: Pick<AllowedCall, 'tool' | 'input'>,
  rulings: Ruling[],
): ApprovalCondition[] {
  const ofRules = rulings
    .filter(({ holds }) => holds)
    .flatMap(({ rules, ruled, settings }) => [
      ...listPolicyConditions(rules, ruled),
      ...listConditions(settings, input),
    ]);
  return [...listConditions(tool.settings, input), ...ofRules];
}

/** The end of a call that was refused when the model's answer was read: it held a token, or had no valid arguments. */
function toRefusedEnd(call: ClaimedToolCall, refusal: ErrorInfo): ToolCallEnd {
  return refusal.code === 'TOOL_BLOCKED' ? toBlockedEnd(call, canaryViolation) : toFailedEnd(call, refusal);
}

interface CallCheck {
  call: ClaimedToolCall;
  tool: Tool;
  input: JsonObject;
  rulings: [Ruling, ...Ruling[]];
}

/** The first violation that one of the rulings finds whose policies hold. */
async function findFirst(
  rulings: Ruling[],
  find: (ruling: Ruling) => RuleViolation | null | Promise<RuleViolation | null>,
): Promise<RuleViolation | null> {
  for (const ruling of rulings.filter(({ holds }) => holds)) {
    const violation = await find(ruling);
    if (violation) return violation;
  }
  return null;
}

/** The canary tokens of the turns above hold here too. */
async function findBreach(
  rulings: [Ruling, ...Ruling[]],
  checks: PolicyChecks,
): Promise<RuleViolation | null> {
  const canaryTokens = [...new Set(rulings.flatMap(({ rules }) => rules.canaryTokens))];
  const [{ ruled }] = rulings;
  const canary = await findArgumentViolation({ ...noRules, canaryTokens }, ruled, checks);
  if (canary) return canary;
  return findFirst(rulings, (one) =>
    findArgumentViolation({ ...one.rules, canaryTokens: [] }, one.ruled, checks),
  );
}

async function checkCall(dependencies: PrepareDependencies, check: CallCheck): Promise<ToolCallEnd | null> {
  const { call, tool, input, rulings } = check;
  const checks = dependencies.tools.checksOf(call.workspace_id);
  const breach = await findBreach(rulings, checks);
  if (breach?.rule === 'canary') return toBlockedEnd(call, breach);
  const wrong = findWrongArguments(tool, await checks.checkSchema(tool.schema, input));
  if (wrong) return toFailedEnd(call, wrong);
  const violation = breach ?? (await countCall(dependencies, check));
  return violation && toBlockedEnd(call, violation);
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
  { call, rulings }: CallCheck,
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
