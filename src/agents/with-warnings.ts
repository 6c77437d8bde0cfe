import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import type { Agent } from '../domain/agent.ts';
import type { Principal } from '../domain/api-key.ts';
import type { FieldError } from '../domain/errors.ts';
import { findUncheckedRules } from '../tools/check-rules.ts';
import { findUnmatchedRules, listReferences } from '../tools/unmatched-rules.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { findModelWarnings } from './check-models.ts';

type WarningDependencies = Pick<AgentDependencies, 'database' | 'findModelWarning'>;

/** The most warnings of one answer. */
const mostWarnings = 50;

/**
 * Adds warnings to an agent that was saved: fields that are valid, but with which its turns would fail now, and rules
 * that match none of its tools.
 */
export async function withWarnings(
  dependencies: WarningDependencies,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  agent: Agent,
): Promise<Agent> {
  const warnings = [
    ...findModelWarnings(dependencies, agent),
    ...findUncheckedRules(agent.rules),
    ...(await findRuleWarnings(dependencies, workspaceId, agent)),
  ];
  return warnings.length === 0 ? agent : { ...agent, warnings: warnings.slice(0, mostWarnings) };
}

/** Adds warnings about an agent that is read: its models, and parts of its policies that no check looks at. */
export function withStoredWarnings(
  dependencies: Pick<AgentDependencies, 'findModelWarning'>,
  agent: Agent,
): Agent {
  const warnings = [...findModelWarnings(dependencies, agent), ...findUncheckedRules(agent.rules)];
  return warnings.length === 0 ? agent : { ...agent, warnings: warnings.slice(0, mostWarnings) };
}

/** The names of connections are read only when a rule is left that may name one. */
async function findRuleWarnings(
  { database }: WarningDependencies,
  workspaceId: string,
  { rules, tools, connectors }: Agent,
): Promise<FieldError[]> {
  const unmatched = findUnmatchedRules(rules, { tools, connectors });
  if (unmatched.length === 0) return [];
  const connections = await database.inWorkspace(workspaceId, (trx) =>
    createConnectionRepository(trx).listNamed(listReferences({ tools, connectors })),
  );
  return findUnmatchedRules(rules, { tools, connectors, connections });
}
