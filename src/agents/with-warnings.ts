import type { Agent } from '../domain/agent.ts';
import type { AgentDependencies } from './agent-dependencies.ts';

/** Adds warnings to an agent that was saved: fields that are valid, but with which its turns would fail now. */
export function withWarnings(
  { findModelWarning }: Pick<AgentDependencies, 'findModelWarning'>,
  agent: Agent,
): Agent {
  const message = findModelWarning(agent.model, { hasConnection: agent.modelConnectionId !== null });
  return message === null ? agent : { ...agent, warnings: [{ field: 'model', message }] };
}
