import { z } from 'zod';
import { hasEnded, swarmEndSchema } from '../../../domain/swarm.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { runForSwarm, toSwarmCaller, toSwarmWait } from './swarm-service.ts';

/** Ends a swarm. */
export const endSwarm = defineCoreFunction({
  name: 'end_swarm',
  description:
    'Ends your swarm, and answers with its final state. "graceful" lets subtasks that run finish, "force" stops them.',
  input: swarmEndSchema.extend({
    swarmId: z
      .uuid()
      .optional()
      .describe('A swarm that this conversation has started; its own one when left out'),
  }),
  effect: 'idempotent',
  run: ({ swarmId: named, ...end }, call) => {
    const swarms = getToolService(call.services, 'swarms');
    const caller = toSwarmCaller(call);
    return runForSwarm(async () => {
      const swarmId = await swarms.find(caller, named);
      const finalState = await swarms.end(caller, swarmId, { ...end, ...toSwarmWait(call) });
      const running = finalState.state.subTasks.filter(({ status }) => status === 'in_progress');
      return {
        success: true,
        message: hasEnded(finalState.status)
          ? 'The swarm has ended.'
          : 'The swarm ends when its turns are over.',
        running: running.map(({ id }) => id),
        finalState,
      };
    });
  },
});
