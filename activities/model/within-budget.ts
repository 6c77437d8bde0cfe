import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';

/** The most tokens of all model calls of a turn. */
export function toMostTokens(
  { maxTokens }: Pick<TurnStep, 'maxTokens'>,
  { limits }: Pick<AgentVersion, 'limits'>,
): number {
  return Math.min(limits.maxTokens ?? defaultLimits.maxTokens, maxTokens ?? Infinity);
}

/** Withholds the tools when the turn has used up its tokens, as the workflow does after the last iteration. */
export function withinBudget(
  input: CallModelInput,
  step: Pick<TurnStep, 'maxTokens' | 'tokensUsed'>,
  version: AgentVersion,
): CallModelInput {
  return step.tokensUsed >= toMostTokens(step, version) ? { ...input, tools: 'withheld' } : input;
}
