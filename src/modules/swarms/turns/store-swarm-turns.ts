import type { StoredSubtask } from '../tasks/subtask-rows.ts';
import { createSwarmMessageRepository, type SwarmMessage } from '../messages/swarm-message-repository.ts';
import { createSwarmRepository } from '../swarm-repository.ts';
import { createSwarmStateRepository } from '../state/swarm-state-repository.ts';
import { createSwarmTurnRepository, type NewSwarmTurn, type OpenSwarmTurn } from './swarm-turn-repository.ts';
import type { Query } from '../../../platform/database/statement.ts';
import type { StoredTurn } from '../../turns/store-turn.ts';
import { isOver, type BlackboardItem } from '../../../domain/swarm.ts';
import { toOneLine } from '../../../domain/text.ts';
import { newId } from '../../../platform/lib/ids.ts';
import type { AgentTurnInput } from '../../../contract/turn-steps.ts';
import type { SwarmPlan } from '../tasks/plan-swarm.ts';
import { toLeaderMessage, toSubtaskMessage } from '../messages/swarm-messages.ts';
import { storeStep, type NotedEnds, type SwarmStepState } from '../swarm-step-state.ts';

/** The plan of a step in which turns begin, and the state before it. */
export interface StartingTurns extends NotedEnds, SwarmPlan {
  step: string;
}

/** The turns that were stored. */
interface StartedTurns {
  state: SwarmStepState;
  /** The workflow inputs of those that begin now. */
  starts: AgentTurnInput[];
  /** Whether the agent that leads was deleted. */
  isLost: boolean;
  /** Whether another step has to follow, since the agent of a subtask was deleted. */
  again: boolean;
}

/** Stores the turns that begin, together with the outcomes of those that have ended, and counts them in all swarms above. */
export async function storeSwarmTurns(query: Query, starting: StartingTurns): Promise<StartedTurns> {
  const { start, asksLeader, row, subtasks } = starting;
  const state = createSwarmStateRepository(query);
  const [blackboard, messages] = await Promise.all([
    state.listItems(row.id),
    createSwarmMessageRepository(query).listMessages(row.id),
  ]);
  const board = { blackboard, messages };
  const leader = asksLeader ? await askLeader(query, { ...starting, board }) : null;
  const reported = leader ? subtasks.filter((each) => isOver(each.status) && !each.isReported) : [];
  const members = start.map((subtask) => toMember({ ...starting, subtask, board }));
  const begun = {
    subtasks: [
      ...reported.map((each) => ({ ...each, isReported: true })),
      ...members.map(({ begun }) => begun),
    ],
    turns: members.length + (leader ? 1 : 0),
  };
  const turns = createSwarmTurnRepository(query);
  const [stored] = await Promise.all([
    Promise.all(members.map(({ turn }) => turns.insertTurn(turn))),
    storeStep(query, starting, begun),
  ]);
  const lost = members.filter((_, index) => stored[index] === null);
  const failed = lost.map(({ subtask }) => toUnassigned(subtask));
  if (lost.length > 0) await takeBack(query, starting, failed);
  const opened = [
    ...members.filter((one) => !lost.includes(one)).map(({ turn }) => toOpen(turn)),
    ...(leader ? [toOpen({ turnId: leader.turn.id, subtaskId: null, step: starting.step })] : []),
  ];
  return {
    state: toStarted(starting, opened, [...begun.subtasks, ...failed]),
    starts: [leader, ...stored].flatMap((one) => one?.start ?? []),
    isLost: asksLeader && leader === null,
    again: lost.length > 0,
  };
}

/** The turns of agents that were deleted did not begin. */
async function takeBack(query: Query, { row, swarmIds }: SwarmStepState, failed: StoredSubtask[]) {
  await Promise.all([
    createSwarmStateRepository(query).storeSubtasks(row.id, failed),
    createSwarmRepository(query).countUse(swarmIds, { turns: -failed.length }),
  ]);
}

function toStarted(
  { row, swarmIds, budget, overBudget, subtasks, open }: SwarmStepState,
  opened: OpenSwarmTurn[],
  changed: StoredSubtask[],
): SwarmStepState {
  const byId = new Map(changed.map((each) => [each.id, each]));
  return {
    ...{ swarmIds, overBudget },
    row: { ...row, turns_used: row.turns_used + opened.length },
    budget: { ...budget, turns: budget.turns - opened.length },
    subtasks: subtasks.map((each) => byId.get(each.id) ?? each),
    open: [...open, ...opened],
  };
}

function toOpen({
  turnId,
  subtaskId,
  step,
}: Pick<OpenSwarmTurn, 'turnId' | 'subtaskId' | 'step'>): OpenSwarmTurn {
  const use = { tokens: 0, credits: 0, hasFailedChange: false };
  return { turnId, subtaskId, step, status: 'running', answer: null, error: null, ...use };
}

interface StartingSubtask extends StartingTurns {
  subtask: StoredSubtask;
  board: Board;
}

/** The messages that the agents of a swarm send each other. */
interface Board {
  blackboard: BlackboardItem[];
  messages: SwarmMessage[];
}

/** The turn of a subtask, and the subtask once its turn is stored. */
function toMember(starting: StartingSubtask) {
  const { row, subtask, subtasks, board } = starting;
  const before = subtasks.filter(({ id }) => subtask.depends_on.includes(id));
  const turnId = newId();
  const turn: NewSwarmTurn = {
    ...toTurnParts(starting, turnId),
    ...{ conversationId: newId(), subtaskId: subtask.id },
    conversation: { agentId: subtask.assignee, title: toOneLine(`Subtask ${subtask.id}`) },
    message: toSubtaskMessage({ goal: row.goal, subtask, before, ...board }),
  };
  const counts = { attempts: subtask.attempts + 1, tries: subtask.tries + 1 };
  const times = { started_at: new Date().toISOString(), ended_at: null };
  const begun: StoredSubtask = { ...subtask, ...counts, ...times, status: 'in_progress', turn_id: turnId };
  return { subtask, turn, begun };
}

/** A subtask whose agent was deleted. */
function toUnassigned(subtask: StoredSubtask): StoredSubtask {
  const error = { code: 'NOT_FOUND' as const, message: `There is no agent ${subtask.assignee}.` };
  return { ...subtask, status: 'failed', error, isReported: false, ended_at: new Date().toISOString() };
}

function toTurnParts(
  { row, budget, step }: StartingTurns,
  turnId: string,
): Pick<NewSwarmTurn, 'swarmId' | 'turnId' | 'step' | 'maxTokens' | 'startedBy'> {
  const maxTokens = budget.tokens === Infinity ? null : Math.max(1, budget.tokens);
  return { swarmId: row.id, turnId, step, maxTokens, startedBy: row.started_by };
}

/** Stores a turn of the leader, whose conversation begins with the first one. Returns null when the leader was deleted. */
async function askLeader(
  query: Query,
  starting: StartingTurns & { board: Board },
): Promise<StoredTurn | null> {
  const { row, subtasks, board, budget } = starting;
  const messages = board.messages.filter(({ leaderNotified }) => !leaderNotified);
  const isFirst = row.conversation_id === null;
  const conversationId = row.conversation_id ?? newId();
  const title = toOneLine(`Leads a swarm: ${row.goal}`);
  const stored = await createSwarmTurnRepository(query).insertTurn({
    ...toTurnParts(starting, newId()),
    ...{ conversationId, subtaskId: null },
    conversation: isFirst ? { agentId: row.leader_agent_id ?? '', title } : null,
    message: toLeaderMessage({
      ...{ goal: row.goal, teamConfig: row.team_config, subtasks, isFirst },
      ...{ blackboard: board.blackboard, messages },
      turnsLeft: budget.turns - 1 - starting.start.length,
    }),
  });
  if (stored === null) return null;
  const note = { swarmId: row.id, conversationId, result: null, fails: row.leader_fails };
  await Promise.all([
    createSwarmRepository(query).noteLeader(note),
    createSwarmMessageRepository(query).markNotified(messages.map(({ id }) => id)),
  ]);
  return stored;
}
