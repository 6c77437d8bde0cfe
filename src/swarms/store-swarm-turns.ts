import type { StoredSubtask } from '../db/swarms/subtask-rows.ts';
import { createSwarmMessageRepository, type SwarmMessage } from '../db/swarms/swarm-message-repository.ts';
import { createSwarmRepository } from '../db/swarms/swarm-repository.ts';
import { createSwarmStateRepository } from '../db/swarms/swarm-state-repository.ts';
import {
  createSwarmTurnRepository,
  type NewSwarmTurn,
  type OpenSwarmTurn,
} from '../db/swarms/swarm-turn-repository.ts';
import type { Query } from '../db/statement.ts';
import { isOver, type BlackboardItem } from '../domain/swarm.ts';
import { toOneLine } from '../domain/text.ts';
import { newId } from '../lib/ids.ts';
import type { SwarmPlan } from './plan-swarm.ts';
import { toLeaderMessage, toSubtaskMessage } from './swarm-messages.ts';
import type { SwarmStepState } from './swarm-step-state.ts';

interface StartingTurns extends SwarmStepState, SwarmPlan {
  step: string;
}

/** The state after turns were stored; `lost` when the agent that leads was deleted, `again` when that of a subtask was. */
interface StartedTurns extends SwarmStepState {
  lost: boolean;
  again: boolean;
}

/** Stores the turns that begin, and counts them in the swarm and in those above. */
export async function storeSwarmTurns(query: Query, starting: StartingTurns): Promise<StartedTurns> {
  const { start, asksLeader, row, swarmIds, budget, overBudget, subtasks, open } = starting;
  const state = { row, swarmIds, budget, overBudget, subtasks, open };
  if (start.length === 0 && !asksLeader) return { ...state, lost: false, again: false };
  const [blackboard, messages] = await Promise.all([
    createSwarmStateRepository(query).listItems(state.row.id),
    createSwarmMessageRepository(query).listMessages(state.row.id),
  ]);
  const board = { blackboard, messages };
  const begun = await Promise.all(
    start.map((subtask) => startSubtask(query, { ...starting, subtask, board })),
  );
  const opened = begun.flatMap(({ id, status, turn_id: turnId }) =>
    status === 'in_progress' && turnId !== null ? [toOpen(turnId, id)] : [],
  );
  const leaderTurnId = asksLeader ? await askLeader(query, { ...starting, board }) : null;
  if (leaderTurnId) opened.push(toOpen(leaderTurnId, null));
  const told = leaderTurnId ? state.subtasks.filter((each) => isOver(each.status) && !each.isTold) : [];
  const changed = [...begun, ...told.map((each) => ({ ...each, isTold: true }))];
  await createSwarmStateRepository(query).storeSubtasks(state.row.id, changed);
  await createSwarmRepository(query).countUse(state.swarmIds, { turns: opened.length });
  const byId = new Map(changed.map((each) => [each.id, each]));
  return {
    ...state,
    row: { ...state.row, turns_used: state.row.turns_used + opened.length },
    budget: { ...state.budget, turns: state.budget.turns - opened.length },
    subtasks: state.subtasks.map((each) => byId.get(each.id) ?? each),
    open: [...state.open, ...opened],
    lost: asksLeader && leaderTurnId === null,
    again: begun.some(({ status }) => status !== 'in_progress'),
  };
}

function toOpen(turnId: string, subtaskId: string | null): OpenSwarmTurn {
  return { turnId, subtaskId, status: 'running', answer: null, error: null, tokens: 0, credits: 0 };
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

async function startSubtask(query: Query, starting: StartingSubtask): Promise<StoredSubtask> {
  const { row, subtask, subtasks, board } = starting;
  const before = subtasks.filter(({ id }) => subtask.depends_on.includes(id));
  const turnId = newId();
  const stored = await createSwarmTurnRepository(query).insertTurn({
    ...toTurnParts(starting, turnId),
    ...{ conversationId: newId(), subtaskId: subtask.id },
    conversation: { agentId: subtask.assignee, title: toOneLine(`Subtask ${subtask.id}`) },
    message: toSubtaskMessage({ goal: row.goal, subtask, before, ...board }),
  });
  const now = new Date().toISOString();
  if (stored === null) {
    const error = { code: 'NOT_FOUND' as const, message: `There is no agent ${subtask.assignee}.` };
    return { ...subtask, status: 'failed', error, isTold: false, ended_at: now };
  }
  const counts = { attempts: subtask.attempts + 1, tries: subtask.tries + 1 };
  return { ...subtask, ...counts, status: 'in_progress', turn_id: turnId, started_at: now, ended_at: null };
}

function toTurnParts(
  { row, budget, step }: StartingTurns,
  turnId: string,
): Pick<NewSwarmTurn, 'swarmId' | 'turnId' | 'step' | 'maxTokens' | 'startedBy'> {
  const maxTokens = budget.tokens === Infinity ? null : Math.max(1, budget.tokens);
  return { swarmId: row.id, turnId, step, maxTokens, startedBy: row.started_by };
}

/** Stores a turn of the leader, whose conversation begins with the first one. Returns null when the leader was deleted. */
async function askLeader(query: Query, starting: StartingTurns & { board: Board }): Promise<string | null> {
  const { row, subtasks, board, budget } = starting;
  const messages = board.messages.filter(({ leaderTold }) => !leaderTold);
  const turnId = newId();
  const isFirst = row.conversation_id === null;
  const conversationId = row.conversation_id ?? newId();
  const title = toOneLine(`Leads a swarm: ${row.goal}`);
  const stored = await createSwarmTurnRepository(query).insertTurn({
    ...toTurnParts(starting, turnId),
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
    createSwarmMessageRepository(query).markTold(messages.map(({ id }) => id)),
  ]);
  return turnId;
}
