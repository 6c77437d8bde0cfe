import { z } from 'zod';
import { swarmChangeSchema, type SwarmDetails } from '../../../domain/swarm.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { runForSwarm, toSwarmCaller } from './swarm-service.ts';

const swarmId = z
  .uuid()
  .optional()
  .describe('A swarm that this conversation has started; its own one when left out');

/** Changes what the agents of a swarm share: its subtasks, its blackboard and its team. */
export const updateSwarmSharedState = defineCoreFunction({
  name: 'update_swarm_shared_state',
  description:
    'Changes the shared state of your swarm, and answers with all of it: subtasks, blackboard and team. Subtasks begin as ' +
    'soon as those that they depend on are done. Without changes it only reads.',
  input: swarmChangeSchema.extend({ swarmId }),
  effect: 'keyed',
  run: ({ swarmId: named, ...change }, call) => {
    const swarms = getToolService(call.services, 'swarms');
    const caller = toSwarmCaller(call);
    return runForSwarm(async () =>
      toAnswer(await swarms.update(caller, await swarms.find(caller, named), change)),
    );
  },
});

function toAnswer({ status, reason, result, state }: SwarmDetails) {
  return {
    ...{ success: true, status, reason, result },
    updatedSubTasks: state.subTasks,
    updatedSharedScratchpad: Object.fromEntries(state.blackboard.map(({ id, value }) => [id, value])),
    updatedTeamConfig: state.teamConfig,
    messages: state.messages,
    subtaskLeaders: state.subtaskLeaders,
  };
}
