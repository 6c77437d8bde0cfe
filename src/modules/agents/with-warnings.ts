import { findExecutionWarning, type Agent, type AskedExecution } from '../../domain/agent.ts';
import type { Actor } from '../../domain/actor.ts';
import type { FieldError } from '../../domain/errors.ts';
import { findUncheckedRules } from '../../engines/tools/check-rules.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { findModelWarnings } from './models/check-models.ts';
import { listUnmatchedRules } from './rules-for-later.ts';
import { findToolWarnings } from './tools/find-tool-warnings.ts';

type WarningDependencies = Pick<AgentDependencies, 'database' | 'findModelWarning'>;

/** The maximum number of warnings of one answer. */
const mostWarnings = 50;

/** An agent that was saved, and the fields that the request named. */
interface Saved {
  agent: Agent;
  asked?: { execution?: AskedExecution | undefined };
}

/**
 * Adds warnings to an agent that was saved: fields that are valid, but with which its turns would fail now, values that the next
 * release refuses, tools that its models do not get as they are, and rules that match none of its tools.
 */
export async function withWarnings(
  dependencies: WarningDependencies,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agent, asked = {} }: Saved,
): Promise<Agent> {
  const unmatched = hasToolRules(agent)
    ? await dependencies.database.inWorkspace(workspaceId, (trx) => listUnmatchedRules(trx, agent))
    : [];
  const more = unmatched.map(({ field, message }) => ({ field, message }));
  const ofTools = await findToolWarnings(agent, workspaceId);
  const ofExecution = findExecutionWarning(asked) ?? [];
  return withStoredWarnings(dependencies, agent, [ofExecution, ofTools, more].flat());
}

/** Adds warnings about an agent that is read: its models, and parts of its policies that no check looks at. */
export function withStoredWarnings(
  dependencies: Pick<AgentDependencies, 'findModelWarning'>,
  agent: Agent,
  more: readonly FieldError[] = [],
): Agent {
  const warnings = [...findModelWarnings(dependencies, agent), ...findUncheckedRules(agent.rules), ...more];
  return warnings.length === 0 ? agent : { ...agent, warnings: warnings.slice(0, mostWarnings) };
}

function hasToolRules({ rules: { toolPolicies, toolAllowlist = [] } }: Agent): boolean {
  return toolAllowlist.length > 0 || Object.keys(toolPolicies).length > 0;
}
