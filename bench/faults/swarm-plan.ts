import type { PromptMessage } from './prompts.ts';
import { shopTools } from './shop.ts';

/** The subtasks that the leader of every swarm plans, with those that each depends on. */
export const plannedSubtasks: Record<string, string[]> = {
  first: [],
  left: ['first'],
  right: ['first'],
  last: ['left', 'right'],
};

/** The function with which the agents of a swarm change what they share. */
export const updateFunction = 'update_swarm_shared_state';

/** A call that the model asks for. */
interface PlannedCall {
  name: string;
  arguments: object;
}

/**
 * The calls for a message. A leader that is asked to plan sets the subtasks; a member gives its order to the tools of the shop
 * and notes it on the blackboard; a message from outside of a swarm is an order itself.
 */
export function planCalls({ content }: Pick<PromptMessage, 'content'>): PlannedCall[] {
  const text = content ?? '';
  const [, goal] = /^You lead a swarm of agents\. Its goal:\n(.*)/.exec(text) ?? [];
  if (goal !== undefined) return [{ name: updateFunction, arguments: toPlan(goal) }];
  if (text.startsWith('Subtasks that have ended:')) return [];
  const [, id, order] = /^Your subtask is "([^"]+)":\n(.*)/m.exec(text) ?? [];
  const isMember = id !== undefined && order !== undefined;
  const note = { name: updateFunction, arguments: { blackboard: { set: [{ id, value: order }] } } };
  return [...toShopCalls(isMember ? order : text), ...(isMember ? [note] : [])];
}

function toPlan(goal: string): object {
  const set = Object.entries(plannedSubtasks).map(([id, needed]) => ({
    ...{ id, description: toSubtaskOrder(goal, id), depends_on: needed },
  }));
  return { subTasks: { set } };
}

/** The order that a subtask of a swarm gives to the tools. */
export function toSubtaskOrder(mark: string, id: string): string {
  return `${mark}/${id}`;
}

function toShopCalls(order: string): PlannedCall[] {
  return Object.keys(shopTools).map((name) => ({ name, arguments: { order } }));
}
