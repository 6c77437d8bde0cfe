import { z } from 'zod';
import { checkAgents } from '../check-references.ts';
import { defineKind } from '../resource-kind.ts';

const member = z.strictObject({
  agentId: z.uuid(),
  role: z.string().max(2_000).default('').describe('The part of the agent in the team'),
});
const members = z.array(member).min(1).max(50);

/** Teams: agents with their roles, for swarms. */
export const team = defineKind({
  kind: 'team',
  description: 'Agents that work together, with the role of each. A swarm can be started with a team.',
  fields: {
    goal: z.string().max(10_000).default(''),
    leaderId: z.uuid().optional().describe('The agent that leads; by default the first member'),
    members,
  },
  filterFields: { agentId: z.uuid().optional().describe('Only teams with this agent') },
  textOf: ({ goal, members: list }) =>
    [z.string().parse(goal), ...members.parse(list).map(({ role }) => role)].join('\n'),
  check: async (attributes, context) => {
    const team = members.parse(attributes.members);
    const ids = team.map(({ agentId }, index) => [`members.${index}.agentId`, agentId] as const);
    const leader = z.string().optional().parse(attributes.leaderId);
    await checkAgents(context, [...ids, ...(leader === undefined ? [] : [['leaderId', leader] as const])]);
  },
});
