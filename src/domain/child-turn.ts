import type { TurnLimits } from './limits.ts';

/** A running turn whose tool call starts a child. */
export interface CallingTurn {
  agentId: string;
  agentName: string;
  /** The agents of the turns above, outermost first. */
  lineage: string[];
  /** Infinity for a run of a routine, whose steps are not iterations of a model. */
  maxIterations: number;
  /** The tokens that are left of its budget. */
  tokensLeft: number;
  /** How deep agents may call agents, by the limits of the agent of the topmost turn. */
  maxAgentDepth: number;
}

/** An agent that is called by another one, with its newest version. */
export interface CalledAgent {
  id: string;
  versionId: string;
  deleted: boolean;
  limits: Partial<TurnLimits>;
}

/** A turn that a tool call starts. */
export interface NewChildTurn {
  turnId: string;
  conversationId: string;
  parentTurnId: string;
  toolCallId: string;
  agent: CalledAgent;
  title: string;
  message: string;
  timeoutMs: number;
  maxIterations: number;
  maxTokens: number;
  /** Whether the allowlist and the policies of the agent above hold in this turn too. */
  inheritsRules: boolean;
}

/** The workflow that a call starts, and the run of its turn's workflow that starts it. */
export interface WorkflowLink {
  toolCallId: string;
  workflowId: string;
  runId: string;
}
