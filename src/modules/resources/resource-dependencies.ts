import type { AgentDependencies } from '../agents/agent-dependencies.ts';

/** Everything that the use cases of resources need from outside. Resources of the kind `agent` are the agents. */
export interface ResourceDependencies extends AgentDependencies {
  /** @default the clock of the machine */
  now?: () => Date;
}
