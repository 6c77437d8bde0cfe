import type { AgentVersion } from '../../../domain/agent.ts';

/**
 * Returns an agent version that is run by the model which answered a recorded turn, when that is a fallback of the version.
 * A replay calls one model, and the first one may be unreachable for the same reason as when the turn was recorded.
 */
export function withAnsweringModel(version: AgentVersion, answeredBy: string | null): AgentVersion {
  if (version.model === answeredBy) return version;
  const fallback = version.fallbackModels.find(({ model }) => model === answeredBy);
  if (!fallback) return version;
  return { ...version, model: fallback.model, modelConnectionId: fallback.modelConnectionId };
}
