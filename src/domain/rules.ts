import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from './tool.ts';

/** The dotted path of an argument, such as `amount` or `recipient.country`. */
const path = z.string().min(1).max(200);

/** What the arguments of one tool must keep to, beyond the tool's own schema. */
export const toolPolicySchema = z.strictObject({
  /** JSON Schema that the arguments must satisfy as well. */
  schema: jsonObjectSchema.optional(),
  minimums: z.record(path, z.number()).optional(),
  maximums: z.record(path, z.number()).optional(),
  allowedValues: z.record(path, z.array(jsonValueSchema).max(1000)).optional(),
  /** Regular expressions (RE2 syntax) that the whole value must match. */
  patterns: z.record(path, z.string().min(1).max(1000)).optional(),
  forbiddenFields: z.array(path).max(100).optional(),
  maxCallsPerTurn: z.int().min(0).max(10_000).optional(),
  /** For all turns of the agent together, from midnight to midnight UTC. */
  maxCallsPerDay: z.int().min(0).max(1_000_000).optional(),
});
export type ToolPolicy = z.infer<typeof toolPolicySchema>;

/** What an agent may do, decided by its operator. */
export const rulesSchema = z.strictObject({
  /**
   * The names of the tools that may be called; a tool that is called through the gateway is `server:tool`, all of a
   * server's are `server:*`. Without a list every tool of the agent may be called.
   */
  toolAllowlist: z.array(z.string().min(1).max(200)).max(2000).optional(),
  /** By the name of the tool, or `server:tool`. */
  toolPolicies: z.record(z.string().min(1).max(200), toolPolicySchema).default({}),
  /** Texts planted in the instructions that must show up nowhere else. */
  canaryTokens: z.array(z.string().min(8).max(200)).max(20).default([]),
  /** What becomes of a turn whose tool call was blocked. @default 'continue': the model is told and goes on */
  onBlocked: z.enum(['continue', 'end_turn']).default('continue'),
});
export type Rules = z.infer<typeof rulesSchema>;

/** The rules of an agent that has none. */
export const noRules: Rules = { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' };

/** Why a call or an answer is stopped, before anything is sent. */
export interface RuleViolation {
  rule: 'allowlist' | 'policy' | 'call_limit' | 'canary' | 'quarantine';
  /** A sentence for the model and the operator; it never repeats a canary token. */
  message: string;
  /** The argument that breaks the rule. */
  field?: string;
}

/** Calls that are counted together under the name that a policy is written for. */
export interface CountedName {
  key: string;
  /** The names of the agent's tools that it stands for. */
  names: string[];
  /** The tools behind the gateway that it stands for, as `server:tool`. */
  targets: string[];
  /** Whether calls of other turns count too. */
  perDay: boolean;
}
