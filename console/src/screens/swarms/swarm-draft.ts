import type { CreateSwarmData, Subtask } from '../../api/types.ts';

/** A subtask as a form has it. */
export interface SubtaskDraft {
  /** Tells it from the others of the form. */
  key: number;
  id: string;
  description: string;
  assignee: string;
  /** Ids, with commas between them. */
  after: string;
  priority: Subtask['priority'];
}

/** An agent of a new swarm as a form has it. */
export interface MemberDraft {
  key: number;
  agentId: string;
  name: string;
  role: string;
}

/** A new swarm as a form has it; empty fields are left out. */
export interface SwarmDraft {
  goal: string;
  leader: string;
  teamId: string;
  members: readonly MemberDraft[];
  subtasks: readonly SubtaskDraft[];
  limits: LimitsDraft;
}

/** The limits of a new swarm as numbers that were typed. */
export interface LimitsDraft {
  turns: string;
  concurrency: string;
  hours: string;
  tokens: string;
  dollars: string;
}

/** A form that nobody has filled in. */
export const emptySwarm: SwarmDraft = {
  ...{ goal: '', leader: '', teamId: '', members: [], subtasks: [] },
  limits: { turns: '', concurrency: '', hours: '', tokens: '', dollars: '' },
};

/** Returns true for a number of at least zero that was typed, and for an empty field. */
export const isNumber = (text: string) => /^\s*(\d*\.?\d+)?\s*$/.test(text);

const toText = (text: string) => (text.trim() === '' ? undefined : text.trim());
const toNumber = (text: string) => (text.trim() === '' ? undefined : Number(text));

/** Returns a subtask as the API takes it. */
export function toSubtask({ id, description, assignee, after, priority }: Omit<SubtaskDraft, 'key'>) {
  const needed = after
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return {
    id: id.trim(),
    description: toText(description),
    assignee: toText(assignee),
    depends_on: needed,
    priority,
  };
}

/** Returns the request that starts a swarm. One with a leader alone is `simple`, every other is `rich`. */
export function toRequest({
  goal,
  leader,
  teamId,
  members,
  subtasks,
  limits,
}: SwarmDraft): CreateSwarmData['body'] {
  const hours = toNumber(limits.hours);
  const dollars = toNumber(limits.dollars);
  const shared = {
    goal: goal.trim(),
    limits: {
      turns: toNumber(limits.turns),
      concurrency: toNumber(limits.concurrency),
      tokens: toNumber(limits.tokens),
      timeMs: hours === undefined ? undefined : Math.round(hours * 3_600_000),
      // Credits are millionths of a US dollar.
      credits: dollars === undefined ? undefined : Math.round(dollars * 1_000_000),
    },
  };
  if (leader !== '' && teamId === '' && members.length === 0 && subtasks.length === 0)
    return { ...shared, kind: 'simple', leader };
  const team = members
    .filter(({ agentId }) => agentId !== '')
    .map(({ agentId, name, role }) => ({ agentId, name: toText(name), role: toText(role) }));
  return {
    ...shared,
    kind: 'rich',
    leader: toText(leader),
    teamId: toText(teamId),
    ...(team.length === 0 ? {} : { teamConfig: { members: team } }),
    ...(subtasks.length === 0 ? {} : { subtasks: subtasks.map(toSubtask) }),
  };
}
