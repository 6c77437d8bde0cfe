import type { ResourceCaller } from '../../domain/resource.ts';

/** A call of a function by an agent, with the person for whom its turn was started. */
export interface AgentCaller extends ResourceCaller {
  agentId: string;
  person: string | null;
  key: string;
}
