import type { Rules, RuleViolation, ToolPolicy } from '../../domain/rules.ts';
import { isAllowed } from './allowlist.ts';
import { listConditions, type ApprovalCondition } from './approval-condition.ts';
import { createCanaryDetector } from './canary-detector.ts';
import { isCanaryInJson } from './canary-json.ts';
import type { RuledCall } from './ruled-call.ts';
import { findPolicyBreach, type PolicyChecks } from './tool-policy.ts';

/** The violation of a call that holds a canary token; its message repeats nothing of the token. */
export const canaryViolation: RuleViolation = {
  rule: 'canary',
  message: 'The call holds an internal marker that must not be passed on.',
};

/** Finds a rule that forbids a call whatever its arguments are. */
export function findToolViolation(
  rules: Rules,
  call: Pick<RuledCall, 'name' | 'listed' | 'toolIds'>,
  quarantined: string[],
): RuleViolation | null {
  if (!isAllowed(rules, call.listed)) {
    return {
      rule: 'allowlist',
      message: `${call.name} is not on the list of tools that this agent may call.`,
    };
  }
  if (!call.toolIds.some((id) => quarantined.includes(id))) return null;
  const message = `${call.name} is not what it was when it was added, and waits for an operator to accept it again.`;
  return { rule: 'quarantine', message };
}

/** Finds a rule that forbids a call with these arguments. */
export async function findArgumentViolation(
  rules: Rules,
  call: RuledCall,
  checks: PolicyChecks,
): Promise<RuleViolation | null> {
  const detector = createCanaryDetector(rules.canaryTokens);
  if (detector && call.subjects.some((subject) => isCanaryInJson(detector, subject.arguments))) {
    return canaryViolation;
  }
  for (const { names, arguments: input } of call.subjects) {
    for (const [, policy] of listPolicies(rules, names)) {
      const breach = await findPolicyBreach(policy, input, checks);
      if (breach) return toPolicyViolation(call.name, breach);
    }
  }
  return null;
}

function toPolicyViolation(
  name: string,
  { field, message }: { field: string; message: string },
): RuleViolation {
  const what = field === '' ? 'its arguments' : field;
  return { rule: 'policy', message: `${name} may not be called like this: ${what} ${message}.`, field };
}

/** Lists the policies that hold for a call. */
export function listCallPolicies(rules: Rules, call: RuledCall): ToolPolicy[] {
  return listOfCall(rules, call).map(([, policy]) => policy);
}

/** Lists the conditions of the policies that hold for a call, each with the arguments that its policy is about. */
export function listPolicyConditions(rules: Rules, { subjects }: RuledCall): ApprovalCondition[] {
  return subjects.flatMap(({ names, arguments: input }) =>
    listPolicies(rules, names).flatMap(([, policy]) => listConditions(policy, input)),
  );
}

function listOfCall(rules: Rules, { subjects }: RuledCall): [name: string, policy: ToolPolicy][] {
  return listPolicies(
    rules,
    subjects.flatMap(({ names }) => names),
  );
}

/** Lists the policies that limit how often a call may be made. */
export function listCallLimits(rules: Rules, call: RuledCall): [name: string, policy: ToolPolicy][] {
  return listOfCall(rules, call).filter(
    ([, policy]) => policy.maxCallsPerTurn !== undefined || policy.maxCallsPerDay !== undefined,
  );
}

function listPolicies({ toolPolicies }: Rules, names: string[]): [string, ToolPolicy][] {
  return [...new Set(names)].flatMap((name): [string, ToolPolicy][] => {
    const policy = Object.hasOwn(toolPolicies, name) ? toolPolicies[name] : undefined;
    return policy ? [[name, policy]] : [];
  });
}

/** Finds a call limit that is exceeded; the counts include this call, and `inDay` is null when it was not counted. */
export function findLimitViolation(
  name: string,
  { maxCallsPerTurn, maxCallsPerDay }: ToolPolicy,
  { inTurn, inDay }: { inTurn: number; inDay: number | null },
): RuleViolation | null {
  if (maxCallsPerTurn !== undefined && inTurn > maxCallsPerTurn) {
    return {
      rule: 'call_limit',
      message: `${name} may be called ${toTimes(maxCallsPerTurn)} in one turn at most.`,
    };
  }
  if (maxCallsPerDay !== undefined && inDay !== null && inDay > maxCallsPerDay) {
    const message = `${name} may be called ${toTimes(maxCallsPerDay)} a day at most; days begin at midnight UTC.`;
    return { rule: 'call_limit', message };
  }
  return null;
}

function toTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
