import { z } from 'zod';
import { groupsSchema } from './actor.ts';
import { inBothSpellings } from './both-spellings.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-value.ts';

/** The dotted path of an argument, such as `amount` or `recipient.country`. */
const path = z.string().min(1).max(200);

/** Limits of the arguments of one tool, in addition to the schema of the tool. */
export const toolPolicySchema = z.strictObject({
  /** A JSON Schema that the arguments must satisfy too. */
  schema: jsonObjectSchema.optional(),
  minimums: z.record(path, z.number()).optional(),
  maximums: z.record(path, z.number()).optional(),
  allowedValues: z.record(path, z.array(jsonValueSchema).max(1000)).optional(),
  /** Regular expressions (RE2 syntax) that the whole value must match. */
  patterns: z.record(path, z.string().min(1).max(1000)).optional(),
  forbiddenFields: z.array(path).max(100).optional(),
  maxCallsPerTurn: z.int().min(0).max(10_000).optional(),
  /** Counted over all turns of the agent, from midnight to midnight UTC. */
  maxCallsPerDay: z.int().min(0).max(1_000_000).optional(),
  /** Asks a person before each call, also where the setting of the tool does not. */
  approval: z.enum(['ask', 'always_ask']).optional(),
  /** Asks a person before each call whose arguments match this JSON Schema. It never lets a call run that asks without it. */
  approvalWhen: jsonObjectSchema.optional(),
  /** Groups of approvers one of which has to decide, besides those of the tool. */
  approvers: groupsSchema.optional(),
  /** Forbids the people who asked for the call to decide, also where the setting of the tool allows it. */
  selfApproval: z.literal(false).optional(),
});
export type ToolPolicy = z.infer<typeof toolPolicySchema>;

/** The rules that an operator sets for an agent. */
export const rulesSchema = z.strictObject({
  /**
   * The names of the tools that may be called: `server:tool` for a tool behind the gateway, `server:*` for all tools of
   * a server. Without a list every tool of the agent may be called.
   */
  toolAllowlist: z.array(z.string().min(1).max(200)).max(2000).optional(),
  /** The policy of each tool, by its name or `server:tool`. */
  toolPolicies: z.record(z.string().min(1).max(200), toolPolicySchema).default({}),
  /**
   * The names of policies and entries of the allowlist that may match no tool of the agent, because it gets the tool
   * later. Any other rule without a tool is refused. The rules of a tool that is removed are added here.
   */
  forLater: z.array(z.string().min(1).max(200)).max(4000).optional(),
  /** Canary tokens, which are put into the instructions; a call or answer that contains one is blocked. */
  canaryTokens: z.array(z.string().min(8).max(200)).max(20).default([]),
  /** Whether a turn ends when a rule blocks a tool call. @default 'continue', which answers the model with the error */
  onBlocked: z.enum(['continue', 'end_turn']).default('continue'),
});
export type Rules = z.infer<typeof rulesSchema>;

/** Rules as a caller gives them: `toolAllowlist` and `tool_allowlist` are the same field. */
export const rulesInputSchema = inBothSpellings(rulesSchema);

/** The rules of an agent that has none. */
export const noRules: Rules = { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' };

/** Marks rules as kept for tools that the agent gets later; without names all rules about tools. */
export function keepForLater(
  rules: Rules,
  names = [...Object.keys(rules.toolPolicies), ...(rules.toolAllowlist ?? [])],
): Rules {
  const { forLater = [] } = rules;
  const marked = [...new Set([...forLater, ...names])];
  return marked.length === forLater.length ? rules : { ...rules, forLater: marked };
}

/** The reason why a call or an answer is stopped before it is sent. */
export interface RuleViolation {
  rule: 'allowlist' | 'policy' | 'call_limit' | 'canary' | 'quarantine';
  /** A sentence for the model and the operator. It never contains a canary token. */
  message: string;
  /** The argument that breaks the rule. */
  field?: string;
}

/** A turn above another one, whose limits of calls and canary tokens hold in that other one too. */
export interface RuleSource {
  turnId: string;
  agentId: string;
  versionId: string;
  /** Whether its allowlist and its policies hold there as well. */
  inherits: boolean;
}

/** A stored connection, as far as rules name it. */
export interface NamedConnection {
  id: string;
  name: string;
  provider: string;
}

/** Calls that are counted together, for the limits of one policy. */
export interface CountedName {
  key: string;
  /** The names of the agent's tools whose calls count. */
  names: string[];
  /** The gateway targets whose calls count, as `server:tool`. */
  targets: string[];
  /** Whether calls of other turns count as well. */
  perDay: boolean;
}
