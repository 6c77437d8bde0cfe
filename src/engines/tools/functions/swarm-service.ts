import { HoldfastError } from '../../../domain/errors.ts';
import type { SwarmChange, SwarmDetails, SwarmEnd, SwarmInput } from '../../../domain/swarm.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { failedResult } from '../failed-result.ts';
import type { FunctionRun } from './tool-function.ts';

/** The turn that calls a function of swarms. */
export interface SwarmCaller {
  workspaceId: string;
  turnId: string;
  conversationId: string;
  /** Names the call: the same order again is carried out once. */
  idempotencyKey: string;
  /** Whether the rules of its agent hold for the members of swarms that it starts. */
  inheritsRules: boolean;
}

/** The time that a call may wait for a swarm. */
interface SwarmWait {
  waitMs: number;
  signal: AbortSignal;
}

/** The use cases of swarms that agents call. */
export interface SwarmService {
  /** Starts a swarm and waits for its end, for a time; returns it as it is then. */
  spawn: (caller: SwarmCaller, input: SwarmInput, wait: SwarmWait) => Promise<SwarmDetails>;
  /**
   * The swarm that the conversation takes part in; with an id one that it has started, or takes part in.
   * @throws HoldfastError `CONVERSATION_STATE_NOT_FOUND`
   */
  find: (caller: SwarmCaller, swarmId: string | undefined) => Promise<string>;
  update: (caller: SwarmCaller, swarmId: string, change: SwarmChange) => Promise<SwarmDetails>;
  /** Ends a swarm and waits until all turns but that of the caller are over, for a time. */
  end: (caller: SwarmCaller, swarmId: string, end: SwarmEnd & SwarmWait) => Promise<SwarmDetails>;
}

declare module '../tool-services.ts' {
  interface ToolServices {
    swarms: SwarmService;
  }
}

export function toSwarmCaller(call: FunctionRun): SwarmCaller {
  const { workspaceId, turnId, conversationId, idempotencyKey, tool } = call;
  const inheritsRules = tool.config.inheritRules === true;
  return { workspaceId, turnId, conversationId, idempotencyKey, inheritsRules };
}

/** The part of the time of a call that is left for its answer, in milliseconds. */
const reserveMs = 3_000;

/** How long a call may wait for a swarm. */
export function toSwarmWait({ timeoutMs, signal }: FunctionRun): SwarmWait {
  return { waitMs: Math.max(0, timeoutMs - reserveMs), signal };
}

/** Runs a use case; a refusal is the result of the call, so that the model can correct itself. */
export async function runForSwarm(run: () => Promise<object>): Promise<ToolResult> {
  try {
    return { status: 'succeeded', text: JSON.stringify(await run()) };
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.retryable) throw error;
    return failedResult(error.code, error.message, error.details);
  }
}
