import type { StoredSubtask } from '../tasks/subtask-rows.ts';
import { isOver, type BlackboardItem, type TeamConfig } from '../../../domain/swarm.ts';
import type { TopicMessage } from '../../../domain/inbox.ts';
import { toOneLine, toPreview } from '../../../domain/text.ts';

/** The maximum number of characters of one result, of all results, of the blackboard, and of one message and all of them. */
const most = { result: 4_000, results: 40_000, blackboard: 8_000, message: 4_000, messages: 20_000 };

/** The maximum number of subtasks that a message lists by name. */
const mostListed = 200;

interface SubtaskMessage {
  goal: string;
  subtask: StoredSubtask;
  /** The subtasks that it depends on, with their results. */
  before: StoredSubtask[];
  blackboard: BlackboardItem[];
  /** All messages of agents to each other. */
  messages: TopicMessage[];
}

/** The message with which an agent gets a subtask. */
export function toSubtaskMessage(message: SubtaskMessage): string {
  const { goal, subtask, before } = message;
  const results = before.map(({ id, result }) => `## ${id}\n${toPreview(result ?? '', most.result)}`);
  return toText([
    `You work in a swarm of agents on this goal:\n${goal}`,
    `Your subtask is "${subtask.id}":\n${subtask.description}`,
    results.length > 0 &&
      toPreview(`Results of the subtasks before it:\n${results.join('\n')}`, most.results),
    describeBlackboard(message.blackboard),
    describeMessages(message.messages),
    'Answer with the result of your subtask: the agents after you get it.',
  ]);
}

interface LeaderMessage {
  goal: string;
  teamConfig: TeamConfig;
  subtasks: readonly StoredSubtask[];
  blackboard: BlackboardItem[];
  /** The messages that the leader has not got before. */
  messages: TopicMessage[];
  turnsLeft: number;
  /** Whether the leader was asked before. */
  isFirst: boolean;
}

/** The message with which the leader of a swarm is asked to plan, or is notified of results. */
export function toLeaderMessage(message: LeaderMessage): string {
  const { goal, teamConfig, subtasks, isFirst } = message;
  const news = subtasks.filter(({ status, isReported }) => isOver(status) && !isReported);
  return toText([
    isFirst && `You lead a swarm of agents. Its goal:\n${goal}`,
    isFirst && describeTeam(teamConfig),
    news.length > 0 &&
      toPreview(`Subtasks that have ended:\n${news.map(describeEnd).join('\n')}`, most.results),
    subtasks.length > 0 && `All subtasks:\n${subtasks.slice(0, mostListed).map(describeState).join('\n')}`,
    describeBlackboard(message.blackboard),
    describeMessages(message.messages),
    `At most ${message.turnsLeft} more turns may be used.`,
    subtasks.length === 0 ? planning : deciding,
  ]);
}

const planning =
  'Plan it: set subtasks with update_swarm_shared_state. Each has an id, a description, the agent that does it as ' +
  '"assignee", and the ids of the subtasks that have to be done before as "depends_on". They begin as soon as these are ' +
  'done, and you are told of their results. Without subtasks your answer is the result of the swarm.';

const deciding =
  'Decide what follows. With update_swarm_shared_state you set more subtasks, and change, repeat ("status": "todo") or ' +
  'delete others; with end_swarm you end the swarm. When you leave nothing to be done, your answer is its result.';

function toText(parts: (string | false | null)[]): string {
  return parts.filter((part) => typeof part === 'string').join('\n\n');
}

function describeTeam(team: TeamConfig): string | null {
  const { members = [], ...others } = team;
  const more = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'leader'));
  const lines = members.map(
    ({ agentId, name, role }) =>
      `- ${name ?? agentId} (${agentId})${role ? `: ${toOneLine(role, 500)}` : ''}`,
  );
  const rest = Object.keys(more).length > 0 ? [toPreview(JSON.stringify(more), most.blackboard)] : [];
  return lines.length + rest.length > 0 ? ['The team:', ...lines, ...rest].join('\n') : null;
}

function describeEnd({ id, status, result, error, attempts }: StoredSubtask): string {
  if (status === 'done') return `## ${id}: done\n${toPreview(result ?? '', most.result)}`;
  return `## ${id}: ${status} after ${attempts} attempts\n${error?.message ?? ''}`;
}

function describeState({ id, status, depends_on: needed }: StoredSubtask): string {
  return `- ${id}: ${status}${status === 'todo' && needed.length > 0 ? `, after ${needed.join(', ')}` : ''}`;
}

function describeBlackboard(items: BlackboardItem[]): string | null {
  if (items.length === 0) return null;
  const board = JSON.stringify(Object.fromEntries(items.map(({ id, value }) => [id, value])));
  return `The blackboard:\n${toPreview(board, most.blackboard)}`;
}

/** The newest messages that fit, oldest first. */
function describeMessages(messages: readonly TopicMessage[]): string | null {
  const shown: string[] = [];
  let characters = 0;
  for (const { topic, from, text } of messages.toReversed()) {
    const line = `## ${toOneLine(topic)}, from ${toOneLine(from.agentName)}\n${toPreview(text, most.message)}`;
    characters += line.length;
    if (characters > most.messages) break;
    shown.unshift(line);
  }
  if (shown.length === 0) return null;
  const left = messages.length - shown.length;
  return [
    'Messages of the agents of the swarm to each other, by topic:',
    ...(left > 0 ? [`(${left} older ones are left out)`] : []),
    ...shown,
  ].join('\n');
}
