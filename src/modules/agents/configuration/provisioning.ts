import { z } from 'zod';
import { agentFields, limitsInputSchema } from '../../../domain/agent.ts';
import type { Actor } from '../../../domain/actor.ts';
import { inBothSpellings } from '../../../domain/both-spellings.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import { noRules, rulesSchema } from '../../../domain/rules.ts';
import { skillPinsSchema } from '../../../domain/skill.ts';
import { toolNameSchema } from '../../../domain/tool-name.ts';
import { checkRules } from '../../../engines/tools/check-rules.ts';
import { schemaChecksOf } from '../../../engines/tools/json-schema/schema-checks.ts';
import { checkAgent } from '../check-agent.ts';

const { toolAllowlist, toolPolicies, forLater, canaryTokens, onBlocked } = rulesSchema.shape;

const configSchema = z.strictObject({
  model: agentFields.model.optional(),
  instructions: agentFields.instructions.optional(),
  limits: limitsInputSchema.optional(),
  execution: agentFields.execution.unwrap().optional(),
  on_blocked: onBlocked.unwrap().optional(),
  skills: skillPinsSchema.optional(),
});

/**
 * The fields that a provisioning sets beside the connectors; a field that is not named stays. As in the rules of an agent,
 * `toolAllowlist` and `tool_allowlist` are the same field.
 */
export const provisioningSchema = inBothSpellings(
  z.strictObject({
    config: inBothSpellings(configSchema).default({}),
    /** Null removes the list, so that every tool of the agent may be called. */
    tool_allowlist: toolAllowlist.unwrap().nullable().optional(),
    tool_policies: toolPolicies.unwrap().optional(),
    /** The names in the list and the policies that may match no tool, because the agent gets it later. */
    for_later: forLater,
    canary_tokens: canaryTokens.unwrap().optional(),
    /** The names that the agent gets tools under, by `connector:tool`. Without one a tool has the name of its server. */
    tool_names: z.record(z.string().min(1).max(200), toolNameSchema).optional(),
  }),
);
export type Provisioning = z.infer<typeof provisioningSchema>;

/**
 * Checks what the schema cannot: that the model is known and the rules are valid.
 * @throws HoldfastError `UNKNOWN_MODEL` or `INVALID_INPUT` with every wrong field
 */
export async function checkProvisioning(
  dependencies: Parameters<typeof checkAgent>[0],
  actor: Pick<Actor, 'workspaceId'>,
  provisioning: Provisioning,
): Promise<void> {
  const { tool_policies: policies = {}, canary_tokens: tokens = [] } = provisioning;
  const rules = { ...noRules, toolPolicies: policies, canaryTokens: tokens };
  const errors = await checkRules(rules, schemaChecksOf(actor.workspaceId));
  if (errors.length > 0) {
    throw createInvalidInput(errors.map(({ field, message }) => ({ field: toSnakeCase(field), message })));
  }
  await checkAgent(dependencies, actor, { model: provisioning.config.model });
}

/** Renames the first part of a path only: the parts after it are names of tools and arguments. */
export function toSnakeCase(field: string): string {
  return field
    .replace(/^toolAllowlist/, 'tool_allowlist')
    .replace(/^toolPolicies/, 'tool_policies')
    .replace(/^canaryTokens/, 'canary_tokens');
}
