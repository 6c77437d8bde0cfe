import { createSwarmLimitRepository } from '../credits/budgets/swarm-limit-repository.ts';
import { createSwarmRepository } from './swarm-repository.ts';
import { createSwarmTurnRepository, type OpenSwarmTurn } from './turns/swarm-turn-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import { hasEnded, subtaskStatuses, type SubtaskStatus } from '../../domain/swarm.ts';
import type { AdvanceSwarmInput, AdvanceSwarmResult, SwarmProgress } from './swarm-contract.ts';
import { endSwarm } from './end-swarm.ts';
import { describeRest, planSwarm, type SwarmPlan } from './tasks/plan-swarm.ts';
import { storeSwarmTurns, type StartingTurns } from './turns/store-swarm-turns.ts';
import { requestStops, stopSwarmTurns } from './turns/stop-swarm-turns.ts';
import { toBudget, type SwarmBudget } from './swarm-budget.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { lockForStep, noteEnds, storeStep, type SwarmStepState } from './swarm-step-state.ts';
import type { StoredSubtask } from './tasks/subtask-rows.ts';
import type { SwarmRow } from './swarm-rows.ts';
import { toOneLine } from '../../domain/text.ts';

/** The maximum number of subtasks that are named. */
const mostNamed = 10;

const endedAbove = 'The swarm above has ended.';

interface Advanced extends AdvanceSwarmResult {
  stopping: string[];
  /** The swarms that were started in a swarm that ends. */
  inside: string[];
}

/**
 * Takes the next step of a swarm in one transaction: notes which turns have ended, decides what follows, and stores the turns
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
  const locked = await lockForStep(query, swarmId);
  const [row, ...above] = locked.rows;
  if (hasEnded(row.status)) return toResult({ row, budget: toBudget(locked.rows), open: [], subtasks: [] });
  const state = noteEnds(locked);
  const isLeft = above.some(({ status }) => hasEnded(status)) && row.status !== 'ending';
  const plan = isLeft ? toLeft() : planSwarm(toFacts(state));
  if (plan.start.length > 0 || plan.asksLeader) return begin(query, { ...state, ...plan, step });
  await storeStep(query, state);
  if (plan.end) return beginEnd(query, { ...state, end: plan.end, stops: plan.stops });
  const stopping = plan.stops ? await stopOpen(query, state) : [];
  if (row.status === 'ending') return { ...(await settleOrWait(query, state)), stopping };
  return { ...toResult(state), starts: await listEarlier(query, state, step) };
}

/** The plan of a swarm whose swarm above has ended. */
function toLeft(): SwarmPlan {
  return { start: [], asksLeader: false, end: { status: 'ended', reason: endedAbove }, stops: true };
}

function stopOpen(query: Query, { open }: SwarmStepState): Promise<string[]> {
  return requestStops(
    query,
    open.map(({ turnId }) => turnId),
  );
}

/** Stores the turns that begin. */
async function begin(query: Query, starting: StartingTurns): Promise<Advanced> {
  const [earlier, begun] = await Promise.all([
    listEarlier(query, starting, starting.step),
    storeSwarmTurns(query, starting),
  ]);
  if (begun.isLost) {
    const end = { status: 'failed', reason: 'The agent that leads was deleted.' } as const;
    return beginEnd(query, { ...begun.state, end, stops: false });
  }
  return { ...toResult(begun.state), starts: [...earlier, ...begun.starts], again: begun.again };
}

/** The turns that earlier attempts of a step have stored. */
async function listEarlier(query: Query, { row, open }: SwarmStepState, step: string) {
  const isRepeated = open.some((turn) => turn.step === step);
  return isRepeated ? createSwarmTurnRepository(query).listStarts(row.id, step) : [];
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

/** A swarm without open turns ends at once; another one when the last of its turns has ended. */
async function beginEnd(
  query: Query,
  { end, stops, ...state }: SwarmStepState & { end: NonNullable<SwarmPlan['end']>; stops: boolean },
): Promise<Advanced> {
  const { row } = state;
  const swarms = createSwarmRepository(query);
  const change = { swarmId: row.id, from: ['running' as const, 'paused' as const], to: 'ending' as const };
  const ending = await swarms.setStatus({ ...change, endsAs: end.status, reason: end.reason });
  await swarms.recordAudit('swarm.ended', row.id, { mode: stops ? 'force' : 'graceful', reason: end.reason });
  const stopping = stops ? await stopOpen(query, state) : [];
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

interface ShownSwarm {
  row: SwarmRow;
  budget: SwarmBudget;
  subtasks: readonly StoredSubtask[];
  open: readonly OpenSwarmTurn[];
}

/** Returns how far a swarm is. */
function toProgress({ row, budget, subtasks, open }: ShownSwarm): SwarmProgress {
  const of = (status: SubtaskStatus) => subtasks.filter((each) => each.status === status);
  const name = (status: SubtaskStatus) =>
    of(status)
      .slice(0, mostNamed)
      .map(({ id }) => id);
  const counts = subtaskStatuses.map((status) => [status, of(status).length] as const);
  return {
    goal: toOneLine(row.goal),
    ...{ status: row.status, reason: row.reason },
    subtasks: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    ...{ running: name('in_progress'), failed: name('failed') },
    leaderRuns: open.some(({ subtaskId }) => subtaskId === null),
    ...{ turnsUsed: row.turns_used, turnsLeft: budget.turns },
  };
}
