import { toContextBudget } from '../../src/domain/context-budget.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import { withReferences } from '../../src/domain/model-context.ts';
import { leaveOut, planCompaction, type CompactionPlan } from '../../src/domain/plan-compaction.ts';
import type { NewCompaction } from '../../src/modules/turns/context/compaction-repository.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { overtaken, type ModelStep } from './read-model-step.ts';

/** Names the model call whose context is shortened. */
export type CompactionRef = Pick<CallModelInput, 'workspaceId' | 'conversationId' | 'turnId' | 'iteration'>;

interface FitOptions {
  input: CompactionRef;
  read: ModelStep;
  /** The version that the turn runs. */
  version: AgentVersion;
}

type Dependencies = Pick<ModelPort, 'pipelined' | 'notifier' | 'logger'>;

/**
 * Plans how the context of a model call is shortened; null for one that fits. `summarizes` says that a model has to write a
 * summary of the turns that are left out.
 */
export function planFor(
  { step, context }: ModelStep,
  version: AgentVersion,
): (CompactionPlan & { summarizes: boolean }) | null {
  const { start, tokenRatios } = step;
  const mode = version.compaction;
  const plan = planCompaction(context, { mode, start, room: toContextBudget(version, tokenRatios) });
  const summarizes = mode === 'summarize' && plan !== null && plan.throughOrdinal > start.throughOrdinal;
  return plan && { ...plan, summarizes };
}

/**
 * Shortens a context without a model: large results become references, and the oldest turns are left out. A summary of
 * earlier turns stays. Returns what the model call sees now.
 * @throws HoldfastError `SERVICE_UNAVAILABLE` when another attempt has done so
 */
export async function leaveOutOldest(
  dependencies: Dependencies,
  { input, read, plan, error = null }: FitOptions & { plan: CompactionPlan; error?: ErrorInfo | null },
): Promise<ModelStep> {
  const { step, context } = read;
  const { throughOrdinal, referencesThrough } = plan;
  const leavesOut = throughOrdinal > step.start.throughOrdinal;
  const start = { ...step.start, referencesThrough, ...(leavesOut && { throughOrdinal, throughOffset: 0 }) };
  await storeCompaction(dependencies, input, {
    ...{ turnId: input.turnId, iteration: input.iteration, number: step.start.made + 1, start, error },
    heldBy: step.heldBy,
    kind: leavesOut ? 'oldest_first' : 'references',
    fromOrdinal: step.start.throughOrdinal + 1,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    references: plan.references,
    summary: null,
  });
  return {
    taken: read.taken,
    step: { ...step, start: { ...start, made: start.made + 1 } },
    context: withReferences(leaveOut(context, throughOrdinal), referencesThrough),
  };
}

/** Stores a compaction and notifies the readers of the conversation. @throws HoldfastError `SERVICE_UNAVAILABLE` as above */
export async function storeCompaction(
  { pipelined, notifier, logger }: Dependencies,
  { workspaceId, conversationId }: CompactionRef,
  compaction: NewCompaction,
): Promise<void> {
  const isStored = await pipelined(workspaceId, ({ compactions }) => compactions.storeCompaction(compaction));
  if (!isStored) throw overtaken;
  notifier.events(conversationId);
  const { turnId, iteration, kind, tokensBefore, tokensAfter } = compaction;
  logger.info({ turnId, conversationId, iteration, kind, tokensBefore, tokensAfter }, 'context compacted');
}
