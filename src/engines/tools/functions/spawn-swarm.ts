import { z } from 'zod';
import {
  hasEnded,
  swarmBounds,
  richSwarmSchema,
  simpleSwarmSchema,
  subtaskChangeSchema,
  swarmLimitsSchema,
  teamConfigSchema,
} from '../../../domain/swarm.ts';
import { toJsonSchema } from '../../functions/input-schema.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { runForSwarm, toSwarmCaller, toSwarmWait } from './swarm-service.ts';

const name = 'spawn_swarm';

const wait = z
  .boolean()
  .default(true)
  .describe('false to go on at once; else the call waits for the end while it can');

/** The schema that models are shown: one object, since vendors refuse unions at the top. */
const shown = z.strictObject({
  kind: z
    .enum(['simple', 'rich'])
    .describe('"simple" with a leader that plans, "rich" with a team or subtasks'),
  goal: z.string().min(1).max(16_000),
  leader: z.uuid().optional().describe('The id of the agent that plans'),
  teamId: z.uuid().optional().describe('A team among the resources, for a rich swarm'),
  teamConfig: teamConfigSchema.optional().describe('The team of a rich swarm'),
  subtasks: z
    .array(subtaskChangeSchema)
    .max(swarmBounds.subtasks)
    .optional()
    .describe('The first subtasks of a rich swarm'),
  limits: swarmLimitsSchema.partial().optional().describe('At most what is left here'),
  wait,
});

/** Starts a swarm, and waits for its end while the call may last. */
export const spawnSwarm = defineCoreFunction({
  name,
  description:
    'Lets several agents work on a goal. Answers with the result when the swarm ends in time, else with its id: ask for ' +
    'its state with update_swarm_shared_state { swarmId }, and end it with end_swarm { swarmId }.',
  input: z.discriminatedUnion('kind', [simpleSwarmSchema.extend({ wait }), richSwarmSchema.extend({ wait })]),
  schema: toJsonSchema(name, shown),
  effect: 'keyed',
  run: ({ wait: waits, ...input }, call) => {
    const swarms = getToolService(call.services, 'swarms');
    const { waitMs, signal } = toSwarmWait(call);
    return runForSwarm(async () => {
      const swarm = await swarms.spawn(toSwarmCaller(call), input, { waitMs: waits ? waitMs : 0, signal });
      const { id: swarmId, status, reason, result, state } = swarm;
      if (!hasEnded(status))
        return { swarmId, status, message: 'The swarm goes on. Ask for its state later.' };
      return { swarmId, status, reason, result, subTasks: state.subTasks };
    });
  },
});
