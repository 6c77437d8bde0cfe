import { patched } from '@temporalio/workflow';
import { toTurnType } from '../src/contract/turn-options.ts';
import type { AgentTurnInput } from '../src/contract/turn-steps.ts';

/** Returns the type with which a workflow starts a turn: a workflow of an earlier release has started all as `agentTurn`. */
export function toChildTurnType(start: AgentTurnInput): ReturnType<typeof toTurnType> {
  return start.execution === 'fast' && patched('fast-turn') ? toTurnType(start) : 'agentTurn';
}
