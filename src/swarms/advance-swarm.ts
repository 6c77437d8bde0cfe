import { createSwarmLimitRepository } from '../db/credits/swarm-limit-repository.ts';
import { createSwarmRepository } from '../db/swarms/swarm-repository.ts';
import type { SwarmRow } from '../db/swarms/swarm-rows.ts';
import { createSwarmStateRepository } from '../db/swarms/swarm-state-repository.ts';
import { createSwarmTurnRepository } from '../db/swarms/swarm-turn-repository.ts';
import type { Query } from '../db/statement.ts';
import type { ErrorInfo } from '../domain/errors.ts';
import { hasEnded } from '../domain/swarm.ts';
import type { AdvanceSwarmInput, AdvanceSwarmResult } from '../../workflows/contract/swarm-steps.ts';
import { endSwarm } from './end-swarm.ts';
import { noteEndedTurns } from './note-ended-turns.ts';
import { describeRest, planSwarm, type SwarmPlan } from './plan-swarm.ts';
import { storeSwarmTurns } from './store-swarm-turns.ts';
import { requestStops, stopSwarmTurns } from './stop-swarm-turns.ts';
import { lockWithAbove, toBudget } from './swarm-budget.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { toProgress } from './swarm-progress.ts';
import type { SwarmStepState } from './swarm-step-state.ts';

const endedAbove = 'The swarm above has ended.';

interface Advanced extends AdvanceSwarmResult {
  stopping: string[];
  /** The swarms that were started in a swarm that ends. */
  inside: string[];
}

/**
 * Takes the next step of a swarm in one transaction: notes which turns are over, decides what follows, and stores the turns
 * that begin. A repeated attempt of a step returns the turns that the earlier one has stored.
 */
export async function advanceSwarm(
  dependencies: SwarmDependencies,
  input: AdvanceSwarmInput,
): Promise<AdvanceSwarmResult> {
  const { workspaceId } = input;
  const { stopping, inside, ...result } = await dependencies.database.transact(workspaceId, (query) =>
    advance(query, input),
  );
  for (const { conversationId } of result.starts) dependencies.notifier.events(conversationId);
  await stopSwarmTurns(dependencies, stopping);
  const ending = { mode: 'force', reason: endedAbove, endsAs: 'ended' } as const;
  for (const swarmId of inside) await endSwarm(dependencies, { workspaceId, swarmId }, ending);
  return result;
}

async function advance(query: Query, { swarmId, step }: AdvanceSwarmInput): Promise<Advanced> {
  const rows = await lockWithAbove(query, swarmId);
  const [row, ...above] = rows;
  const budget = toBudget(rows);
  if (hasEnded(row.status)) return toResult({ row, budget, open: [], subtasks: [] });
  const state = await noteEnds(query, rows);
  const isLeft = above.some(({ status }) => hasEnded(status)) && row.status !== 'ending';
  if (isLeft) return beginEnd(query, { ...state, end: { status: 'ended', reason: endedAbove }, stops: true });
  const plan = planSwarm(toFacts(state));
  if (plan.end) return beginEnd(query, { ...state, end: plan.end, stops: plan.stops });
  const stopping = plan.stops
    ? await requestStops(
        query,
        state.open.map(({ turnId }) => turnId),
      )
    : [];
  if (row.status === 'ending') return { ...(await settleOrWait(query, state)), stopping };
  const started = await storeSwarmTurns(query, { ...state, ...plan, step });
  if (started.lost) {
    const end = { status: 'failed', reason: 'The agent that leads was deleted.' } as const;
    return beginEnd(query, { ...state, end, stops: false });
  }
  const starts = await createSwarmTurnRepository(query).listStarts(swarmId, step);
  return { ...toResult({ ...state, ...started }), starts, again: started.again };
}

/** Reads the subtasks and open turns of a swarm, and stores what came of the turns that are over. */
async function noteEnds(query: Query, rows: [SwarmRow, ...SwarmRow[]]): Promise<SwarmStepState> {
  const [row] = rows;
  const swarms = createSwarmRepository(query);
  const turns = createSwarmTurnRepository(query);
  const state = createSwarmStateRepository(query);
  const [open, before] = await Promise.all([turns.listOpen(row.id), state.listSubtasks(row.id)]);
  const noted = { retries: row.limits.retries, now: new Date().toISOString() };
  const ended = noteEndedTurns(before, open, noted);
  const { subtasks, changed, endedTurnIds, tokens, credits, leader } = ended;
  const swarmIds = rows.map(({ id }) => id);
  const result = leader?.answer ?? null;
  const fails = leader === null ? row.leader_fails : result === null ? row.leader_fails + 1 : 0;
  await Promise.all([
    state.storeSubtasks(row.id, changed),
    turns.markEnded(endedTurnIds),
    ...(tokens + credits > 0 ? [swarms.countUse(swarmIds, { tokens, credits })] : []),
    ...(leader ? [swarms.noteLeader({ swarmId: row.id, conversationId: null, result, fails })] : []),
  ]);
  const [counted, ...above] = rows.map((each) => ({
    ...each,
    tokens_used: each.tokens_used + tokens,
    credits_used: each.credits_used + credits,
  })) as [SwarmRow, ...SwarmRow[]];
  return {
    row: { ...counted, leader_fails: fails, result: result ?? row.result },
    ...{ swarmIds, budget: toBudget([counted, ...above]), subtasks },
    overBudget: ended.overBudget && toBudgetReason(ended.overBudget, swarmIds),
    open: open.filter(({ turnId }) => !endedTurnIds.includes(turnId)),
  };
}

function toBudgetReason({ message, details }: ErrorInfo, [own, ...above]: string[]): string {
  const { subject = '', credits } = (details ?? {}) as { subject?: string; credits?: string };
  const limit = `The limit of ${credits} credits`;
  const whose = subject === own ? limit : above.includes(subject) ? `${limit} of a swarm above` : 'A budget';
  return `${whose} was reached: ${message}`;
}

function toFacts({
  row,
  budget,
  overBudget,
  subtasks,
  open,
}: SwarmStepState): Parameters<typeof planSwarm>[0] {
  const ofLeader = open.filter(({ subtaskId }) => subtaskId === null).length;
  return {
    ...{ status: row.status, limits: row.limits, leader: row.leader_agent_id, leaderFails: row.leader_fails },
    wasLeaderAsked: row.conversation_id !== null,
    ...{ budget, overBudget },
    isOutOfTime: Date.now() >= budget.deadlineAt,
    subtasks,
    open: { leader: ofLeader > 0, subtasks: open.length - ofLeader },
  };
}

/** A swarm without open turns has ended at once; another one when the last of its turns is over. */
async function beginEnd(
  query: Query,
  { end, stops, ...state }: SwarmStepState & { end: NonNullable<SwarmPlan['end']>; stops: boolean },
): Promise<Advanced> {
  const { row } = state;
  const swarms = createSwarmRepository(query);
  const change = { swarmId: row.id, from: ['running' as const, 'paused' as const], to: 'ending' as const };
  const ending = await swarms.setStatus({ ...change, endsAs: end.status, reason: end.reason });
  await swarms.recordAudit('swarm.ended', row.id, { mode: stops ? 'force' : 'graceful', reason: end.reason });
  const stopping = stops
    ? await requestStops(
        query,
        state.open.map(({ turnId }) => turnId),
      )
    : [];
  const ended = {
    ...state,
    row: { ...row, ...(ending && { status: ending.status, reason: ending.reason, ends_as: ending.ends_as }) },
  };
  return { ...(await settleOrWait(query, ended)), stopping };
}

async function settleOrWait(query: Query, state: SwarmStepState): Promise<Advanced> {
  if (state.open.length > 0) return toResult(state);
  const swarms = createSwarmRepository(query);
  const inside = await swarms.listInside(state.row.id);
  const rest = state.row.ends_as === 'stopped' ? describeRest(state.subtasks) : '';
  const settled = await swarms.settleSwarm(state.row.id, rest);
  if (state.row.limits.credits != null) await createSwarmLimitRepository(query).closeLimit(state.row.id);
  return { ...toResult({ ...state, row: settled ?? state.row }), inside };
}

function toResult(state: Omit<SwarmStepState, 'swarmIds' | 'overBudget'>): Advanced {
  const { row, budget, open } = state;
  return {
    ...{ starts: [], stopping: [], inside: [] },
    open: open.length,
    deadlineAt: budget.deadlineAt,
    hasEnded: hasEnded(row.status),
    again: false,
    progress: toProgress(state),
  };
}
